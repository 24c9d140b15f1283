"""A real browser in front of the admin: who is signed in, and what it complains of."""

import shutil
from collections.abc import Callable, Iterator

import pytest
from django.conf import settings as configured
from django.test import Client
from playwright.sync_api import Browser, Page, sync_playwright
from pytest_django.live_server_helper import LiveServer

from acciones.models import Member

ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"]
SIZES = {"narrow": (375, 812), "wide": (1280, 900)}

Visit = Callable[..., Page]


@pytest.fixture(scope="module")
def orm_beside_the_browser() -> Iterator[None]:
    """Let tests ask the database: Playwright keeps an event loop in this thread."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "1")
        yield


@pytest.fixture(scope="module")
def browser(orm_beside_the_browser: None) -> Iterator[Browser]:
    chromium = shutil.which("chromium")
    if chromium is None:
        pytest.skip("no browser found; on Debian: apt-get install chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium, args=ARGUMENTS, headless=True
        )
        yield browser
        browser.close()


@pytest.fixture
def complaints() -> list[str]:
    """Return what browsers said on their consoles."""
    return []


@pytest.fixture
def visit(
    browser: Browser, live_server: LiveServer, complaints: list[str]
) -> Iterator[Visit]:
    """Return a function that opens a page for a member, and hears its complaints."""
    contexts = []

    def open_page(
        member: Member, address: str, *, size: str = "wide", scheme: str = "light"
    ) -> Page:
        width, height = SIZES[size]
        context = browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme="dark" if scheme == "dark" else "light",
            locale="es-ES",
        )
        contexts.append(context)
        client = Client()
        client.force_login(member.user)
        value = client.cookies[configured.SESSION_COOKIE_NAME].value
        context.add_cookies(
            [
                {
                    "name": configured.SESSION_COOKIE_NAME,
                    "value": value,
                    "url": live_server.url,
                }
            ]
        )
        page = context.new_page()
        page.on("console", lambda said: complaints.append(said.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(live_server.url + address)
        return page

    yield open_page
    for context in contexts:
        context.close()
