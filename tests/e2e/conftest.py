"""The demo for the whole session, and a real browser in front of it."""

import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    Page,
    ViewportSize,
    sync_playwright,
)

from .product import ROOT, Product, Running

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
AXE = ROOT / "web/node_modules/axe-core/axe.min.js"
FINDINGS = """
axe.run().then(found => found.violations.map(
  rule => rule.id + ': ' + rule.nodes.map(n => n.html.slice(0, 120)).join(' | ')))
"""
SHOTS = ROOT / "var/screenshots"
DESKTOP = ViewportSize(width=1280, height=900)
PHONE = ViewportSize(width=375, height=812)


@pytest.fixture(scope="module")
def product(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Product]:
    """Run the demo as `make demo` does, as new for each file: its orders are few."""
    running = Running(tmp_path_factory.mktemp("demo"))
    try:
        yield running.wait()
    finally:
        running.stop()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Run headless Chromium; no longer than needed, for Playwright keeps a loop."""
    chromium = shutil.which("chromium")
    if chromium is None:
        pytest.skip("no browser found; on Debian: apt-get install chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=ARGUMENTS)
        yield browser
        browser.close()


class Window:
    """A page that notices broken policies, errors and inaccessible states."""

    def __init__(self, context: BrowserContext, name: str) -> None:
        """Open an empty page; screenshots are named after the story."""
        self.page: Page = context.new_page()
        self.name, self.faults = name, list[str]()
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.page.on(
            "console",
            lambda line: (
                self.faults.append(line.text)
                if line.type == "error" and "Content Security Policy" in line.text
                else None
            ),
        )

    def shoot(self, what: str) -> None:
        """Keep a screenshot as an artefact of the run, and judge the page with axe."""
        SHOTS.mkdir(parents=True, exist_ok=True)
        self.page.screenshot(path=SHOTS / f"{self.name}-{what}.png", full_page=True)
        assert self.violations() == [], what
        assert self.faults == [], what

    def violations(self) -> list[str]:
        """Return axe's findings; the debugger's door needs no hole in the CSP."""
        debugger = self.page.context.new_cdp_session(self.page)
        debugger.send("Runtime.evaluate", {"expression": AXE.read_text()})
        answer = debugger.send(
            "Runtime.evaluate",
            {"expression": FINDINGS, "awaitPromise": True, "returnByValue": True},
        )
        debugger.detach()
        return list(answer["result"]["value"])


@pytest.fixture
def desktop(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Window]:
    """Open a wide window without any history."""
    with browser.new_context(viewport=DESKTOP, locale="es-ES", bypass_csp=False) as c:
        yield Window(c, request.node.name.removeprefix("test_"))


@pytest.fixture
def phone(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Window]:
    """Open a phone's window without any history."""
    with browser.new_context(viewport=PHONE, locale="es-MX", has_touch=True) as c:
        yield Window(c, request.node.name.removeprefix("test_"))


@pytest.fixture
def office(browser: Browser, product: Product) -> Iterator[Window]:
    """Open the owner's window, signed in to the admin."""
    with browser.new_context(viewport=DESKTOP, locale="es-ES") as context:
        window = Window(context, "office")
        window.page.goto(f"{product.maya}/admin/")
        window.page.get_by_label("Nombre de usuario").fill(product.user)
        window.page.get_by_label("Contraseña").fill(product.password)
        window.page.get_by_role("button", name="Iniciar sesión").click()
        yield window
