"""The chat in a page of the shop: another site, no cookie, one name, and who is who."""

import re
import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import (
    Browser,
    Frame,
    FrameLocator,
    Page,
    expect,
    sync_playwright,
)

from .conftest import ARGUMENTS, AXE, FINDINGS, Window
from .product import Product

SLOW = 20_000
NO_COOKIES = [
    "--test-third-party-cookie-phaseout",
    # Playwright switches off what browsers do instead: storage of the frame's own
    "--disable-features=Translate",
]
"""Chromium's switches for a browser that gives no cookie to other sites' frames."""
NAMES = "Object.keys(globalThis).filter(name => !before.includes(name))"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Run a browser without third-party cookies."""
    chromium = shutil.which("chromium")
    assert chromium, "on Debian: apt-get install chromium"
    arguments = [*ARGUMENTS, *NO_COOKIES]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=arguments)
        yield browser
        browser.close()


def visit(product: Product, window: Window) -> Page:
    """Open the shop's page under a name that makes it another site than Maya."""
    window.page.goto(elsewhere(product.shop) + "/con-chat")
    return window.page


def elsewhere(address: str) -> str:
    """Return the same server under its other name: to a browser, another site."""
    return address.replace("127.0.0.1", "localhost")


def chat(page: Page) -> FrameLocator:
    """Open the chat by its button."""
    page.get_by_role("button", name="Abrir el chat").click()
    frame = page.frame_locator("iframe[title=Chat]")
    expect(frame.locator("#maya-text")).to_be_visible(timeout=SLOW)
    return frame


def say(frame: FrameLocator, text: str) -> None:
    """Type and send."""
    frame.locator("#maya-text").fill(text)
    frame.locator("#maya-text").press("Enter")


def inside(page: Page) -> Frame:
    """Return the frame itself."""
    return next(frame for frame in page.frames if "/widget/" in frame.url)


def shoot(window: Window, what: str) -> None:
    """Keep a screenshot, and judge the page, the button on it, and the frame."""
    window.shoot(what)
    debugger = window.page.context.new_cdp_session(inside(window.page))
    debugger.send("Runtime.evaluate", {"expression": AXE.read_text()})
    found = debugger.send(
        "Runtime.evaluate",
        {"expression": FINDINGS, "awaitPromise": True, "returnByValue": True},
    )
    debugger.detach()
    assert found["result"]["value"] == [], what


def sign_in(page: Page, who: str) -> None:
    """Sign in at the shop, which tells the chat."""
    page.get_by_role("button", name=f"Entrar como {who}").click()


def test_a_stranger_signs_in_and_gets_the_refund(
    product: Product, desktop: Window
) -> None:
    page = visit(product, desktop)
    assert [f.url for f in page.frames if "/widget/" in f.url] == []
    greeting = page.get_by_role("button", name="¿Dudas con tu pedido?")
    expect(greeting).to_be_visible()
    desktop.shoot("1-button")
    frame = chat(page)
    expect(greeting).to_have_count(0)
    shoot(desktop, "2-open")
    say(frame, "revisa el pedido 4821 y prepara un reembolso")
    expect(frame.locator(".sign-in")).to_be_visible(timeout=SLOW)
    shoot(desktop, "3-sign-in")
    sign_in(page, "Ana López")
    # What was asked before goes on by itself, in the same conversation
    expect(frame.get_by_text(re.compile("sin abrir")).last).to_be_visible(timeout=SLOW)
    expect(frame.locator(".sign-in")).to_have_count(0)
    asked = frame.locator(".bubble", has_text="revisa el pedido 4821")
    expect(asked).to_have_count(2)
    expect(frame.locator(".bar")).to_contain_text("Ana López")
    say(frame, "sí, está sin abrir")
    confirm = frame.get_by_role("button", name="Confirmar")
    expect(confirm).to_be_visible(timeout=SLOW)
    confirm.dblclick()
    waiting = frame.locator("maya-run", has_text="Esperando al propietario")
    expect(waiting).to_be_visible(timeout=SLOW)
    shoot(desktop, "4-waiting")
    assert page.context.cookies() == []
    assert not any("token" in f.url or "eyJ" in f.url for f in page.frames)


def test_it_comes_back_on_the_next_page_and_leaves_with_the_customer(
    product: Product, phone: Window
) -> None:
    page = visit(product, phone)
    sign_in(page, "Luis Mora")
    frame = chat(page)
    say(frame, "hola")
    answers = frame.locator(".message.agent:not(.active)")
    expect(answers).not_to_have_count(0, timeout=SLOW)
    shoot(phone, "1-full")
    page.reload()
    frame = chat(page)
    expect(frame.locator(".bubble", has_text="hola")).to_be_visible(timeout=SLOW)
    expect(frame.locator(".bar")).to_contain_text("Luis Mora")
    frame.locator("#maya-text").fill("un secreto sin enviar")
    frame.get_by_role("button", name="Cerrar el chat").click()
    expect(page.get_by_role("button", name="Abrir el chat")).to_be_focused()
    page.get_by_role("button", name="Cerrar sesión").click()
    frame = chat(page)
    expect(frame.locator(".empty")).to_be_visible(timeout=SLOW)
    expect(frame.locator(".bar")).to_contain_text("Sin iniciar sesión")
    expect(frame.locator("#maya-text")).to_have_value("")
    shoot(phone, "2-signed-out")


def test_another_customer_finds_an_empty_chat(
    product: Product, desktop: Window
) -> None:
    page = visit(product, desktop)
    sign_in(page, "Ana López")
    frame = chat(page)
    say(frame, "hola")
    expect(frame.locator(".message.agent:not(.active)")).not_to_have_count(
        0, timeout=SLOW
    )
    sign_in(page, "Luis Mora")
    expect(frame.locator(".bar")).to_contain_text("Luis Mora", timeout=SLOW)
    expect(frame.locator(".bubble")).to_have_count(0)


def test_the_page_gets_one_name_and_hears_what_happens(
    product: Product, desktop: Window
) -> None:
    page = desktop.page
    page.add_init_script("globalThis.before = Object.keys(globalThis)")
    visit(product, desktop)
    # The page's own script has names of its own; ours is the one that is not among them
    names = page.evaluate(f"() => {NAMES}")
    assert [name for name in names if name != "before"] == ["Maya"]
    page.evaluate(
        """() => {
          globalThis.heard = [];
          for (const name of ['open', 'close', 'unread', 'customer', 'receipt'])
            Maya.on(name, detail => heard.push([name, detail]));
        }"""
    )
    page.get_by_role("button", name="Preguntar por un pedido").click()
    frame = page.frame_locator("iframe[title=Chat]")
    expect(frame.locator("#maya-text")).to_be_focused(timeout=SLOW)
    say(frame, "hola")
    frame.locator("#maya-text").press("Escape")
    expect(page.get_by_role("button", name="Abrir el chat")).to_be_focused()
    page.wait_for_function(
        "() => ['open', 'customer', 'close'].every("
        "name => heard.some(([heard]) => heard === name))"
    )
    assert ["customer", {"id": None}] in page.evaluate("() => heard")


def test_no_other_page_may_frame_it(product: Product, desktop: Window) -> None:
    page = desktop.page
    page.goto(f"{elsewhere(product.bank)}/")
    page.evaluate(
        """address => {
          const frame = document.createElement('iframe');
          frame.src = address;
          document.body.append(frame);
        }""",
        f"{product.maya}/widget/tienda/",
    )
    page.wait_for_timeout(1500)
    framed = next(f for f in page.frames if f != page.main_frame)
    assert framed.locator("#maya-text").count() == 0
