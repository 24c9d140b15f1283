"""Both pages in a real browser: small screens, the keyboard, the way to the chat."""

import shutil
from collections.abc import Iterator
from urllib.parse import parse_qs

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, sync_playwright

from tests.demo.bank import Bank
from tests.demo.conftest import Shop
from tests.demo.maya import callbacks

ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    chromium = shutil.which("chromium")
    if chromium is None:
        pytest.skip("no browser found; on Debian: apt-get install chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium, args=ARGUMENTS, headless=True
        )
        yield browser
        browser.close()


@pytest.fixture(params=["light", "dark"])
def page(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Page]:
    context = browser.new_context(
        viewport={"width": 375, "height": 740}, color_scheme=request.param
    )
    yield context.new_page()
    context.close()


@pytest.mark.parametrize("company", ["shop", "running_bank"])
def test_a_small_screen_shows_the_page_whole(
    page: Page, company: str, request: pytest.FixtureRequest
) -> None:
    house: Shop | Bank = request.getfixturevalue(company)
    complaints: list[str] = []

    def listen(said: ConsoleMessage) -> None:
        complaints.append(said.text)

    page.on("console", listen)
    page.goto(house.url)
    widest = page.evaluate("document.documentElement.scrollWidth")
    assert widest <= 375
    assert page.evaluate("getComputedStyle(document.body).margin") == "0px"
    for door in page.locator(".doors button, .doors a").all():
        box = door.bounding_box()
        assert box is not None
        assert box["height"] >= 44
        assert page.evaluate(CONTRAST, door.element_handle()) >= 4.5
    assert [c for c in complaints if "Content Security Policy" in c] == []


def test_one_press_walks_into_the_chat_with_the_origin_maya_looks_at(
    page: Page, shop: Shop
) -> None:
    with callbacks(shop.maya_port) as arrived:
        page.goto(shop.url)
        page.get_by_role("button", name="Entrar como Ana López").focus()
        page.keyboard.press("Enter")
        page.wait_for_url(f"http://127.0.0.1:{shop.maya_port}/chat/tienda/")
    [form] = [request for request in arrived if request.path == "/chat/tienda/"]
    assert form.headers["origin"] == shop.url
    assert parse_qs(form.body.decode()).keys() == {"identity"}


def test_the_door_opens_without_scripts_too(browser: Browser, shop: Shop) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    with callbacks(shop.maya_port) as arrived:
        page.goto(shop.url)
        page.get_by_role("button", name="Entrar como Luis Mora").click()
        page.get_by_role("button", name="Continuar").click()
        page.wait_for_url(f"http://127.0.0.1:{shop.maya_port}/chat/tienda/")
    context.close()
    assert len(arrived) == 1


CONTRAST = """
element => {
  const parse = color => color.match(/[\\d.]+/g).map(Number);
  const light = ([r, g, b]) => {
    const [x, y, z] = [r, g, b].map(v => v / 255)
      .map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  let behind = element;
  while (parse(getComputedStyle(behind).backgroundColor)[3] === 0) {
    behind = behind.parentElement;
  }
  const [a, b] = [getComputedStyle(element).color,
                  getComputedStyle(behind).backgroundColor].map(parse).map(light);
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}
"""
