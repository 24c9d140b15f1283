"""The pages for chats and tokens in a real browser: two sizes, two schemes."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import pytest
from django.conf import settings as configured
from django.test import Client
from django.urls import reverse
from playwright.sync_api import Browser, Page, expect, sync_playwright

from acciones.models import ApiToken
from canales.models import TelegramLink

from .ceremony import PAGE
from .conftest import OLGA, Wired

ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"]
AXE = Path(configured.BASE_DIR) / "web/node_modules/axe-core/axe.min.js"
SHOTS = Path(configured.BASE_DIR) / "var/screenshots/owners"
SIZES = {"narrow": (375, 812), "wide": (1280, 900)}
FAULTS = """async () => (await axe.run(document, {preload: false, resultTypes:
  ['violations']})).violations.map(found => [found.id, found.nodes[0].target[0]])"""


@pytest.fixture(scope="module", autouse=True)
def orm_beside_the_browser() -> Iterator[None]:
    """Let tests ask the database: Playwright keeps an event loop in this thread."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "1")
        yield


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    chromium = shutil.which("chromium")
    if chromium is None:
        pytest.fail("no browser found; on Debian: apt-get install chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium, args=ARGUMENTS, headless=True
        )
        yield browser
        browser.close()


def look(page: Page, name: str) -> None:
    """Keep what it looks like, and demand that it fits and that axe finds nothing."""
    SHOTS.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=SHOTS / f"{name}.png", full_page=True)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.evaluate(AXE.read_text())
    assert page.evaluate(FAULTS) == []


@pytest.fixture(params=["narrow", "wide"])
def size(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


@pytest.fixture(params=["light", "dark"])
def scheme(request: pytest.FixtureRequest) -> Literal["light", "dark"]:
    name: Literal["light", "dark"] = request.param
    return name


@pytest.fixture
def page(
    live: Wired, browser: Browser, size: str, scheme: Literal["light", "dark"]
) -> Iterator[Page]:
    """Return a page of the owner's, which nothing may complain about."""
    client = Client()
    client.force_login(live.cast.owner.user)
    width, height = SIZES[size]
    context = browser.new_context(
        viewport={"width": width, "height": height},
        color_scheme=scheme,
        locale="es-ES",
        base_url=base_of(live),
    )
    session = client.cookies["sessionid"].value
    context.add_cookies([{"name": "sessionid", "value": session, "url": base_of(live)}])
    page = context.new_page()
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    yield page
    assert said == []
    context.close()


def base_of(live: Wired) -> str:
    hook: str = live.telegram.state.webhook["url"]
    return hook.removesuffix("/telegram/webhook")


def test_an_owner_links_a_chat(live: Wired, page: Page, size: str, scheme: str) -> None:
    TelegramLink.objects.filter(pk=live.olga.pk).delete()
    page.goto(reverse(PAGE))
    page.get_by_role("button", name="Crear una invitación").click()
    look(page, f"invited-{size}-{scheme}")
    code = page.locator("code.copy").inner_text()
    assert live.telegram.post(live.telegram.say(OLGA, code)) == 200
    page.get_by_role("link", name="Ya lo hice").click()
    expect(page.get_by_text(str(OLGA.id))).to_be_visible()
    look(page, f"claimed-{size}-{scheme}")
    page.get_by_role("button", name="Sí, es mía").click()
    expect(page.get_by_text("Chat vinculado.")).to_be_visible()
    page.get_by_label("Silencio desde").fill("22:00")
    page.get_by_label("hasta").fill("08:00")
    page.get_by_role("button", name="Guardar").click()
    expect(page.get_by_text("Horas de silencio guardadas.")).to_be_visible()
    look(page, f"linked-{size}-{scheme}")
    link = TelegramLink.objects.get(member=live.cast.owner, ended_at=None)
    assert str(link.quiet_from) == "22:00:00"


def test_an_owner_makes_and_revokes_a_token(page: Page, size: str, scheme: str) -> None:
    page.goto(reverse("admin:acciones_apitoken_changelist"))
    page.get_by_label("Para qué es").fill("Caja")
    page.get_by_label("ver ejecuciones").check()
    look(page, f"token-form-{size}-{scheme}")
    page.get_by_role("button", name="Crear y mostrar una vez").click()
    expect(page.locator("#secret-once")).to_have_value(re.compile("^maya_.{43}$"))
    look(page, f"token-made-{size}-{scheme}")
    page.get_by_role("button", name="Revocar").click()
    expect(page.get_by_text("La llave ya no vale.")).to_be_visible()
    assert ApiToken.objects.get().is_revoked
