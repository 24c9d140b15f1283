"""What the chat costs a browser: ``make bench NAME=chat``.

Opens the real chat of a running demo in headless Chromium, on a CPU four times slower,
beside an open chat widget from npm that is served built as its makers ship it. Then
goes through the states that people meet and counts what axe and the policy find.
Prints a table for people and, last, one JSON object.
"""

import functools
import gzip
import http.server
import json
import shutil
import statistics
import subprocess
import sys
import tarfile
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page, Request, sync_playwright

from tests.e2e.conftest import ARGUMENTS, DESKTOP, PHONE, Window
from tests.e2e.product import ROOT, Product, Running

PEER, PEER_VERSION = "@n8n/chat", "1.37.0"
PEER_FILES = ("chat.bundle.es.js", "style.css")
PEER_PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Peer</title>
<link rel="icon" href="data:,"><link rel="stylesheet" href="style.css"><body>
<script type="module">
  import {createChat} from './chat.bundle.es.js';
  createChat({webhookUrl: '/none', mode: 'fullscreen', loadPreviousSession: false});
</script>"""
OURS = [ROOT / "web/dist" / name for name in ("chat.js", "chat.css", "widget.js")]
SLOWER = 4
ROUNDS = 5
PATIENCE_MS = 30_000
STORIES = {
    "tienda": "revisa el pedido 4821 y prepara un reembolso",
    "banco": "¿cómo voy con mi tarjeta?",
}


def main() -> int:
    """Measure both, and look at our states."""
    chromium = shutil.which("chromium")
    assert chromium, "on Debian: apt-get install chromium"
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        running = Running(Path(folder))
        browser = playwright.chromium.launch(executable_path=chromium, args=ARGUMENTS)
        try:
            product = running.wait()
            with peer(Path(folder) / "peer") as (address, files):
                report(browser, product, address, files)
        finally:
            browser.close()
            running.stop()
    return 0


def report(browser: Browser, product: Product, address: str, files: list[Path]) -> None:
    """Print the table and the figures."""
    ours, theirs = weight(OURS), weight(files)
    our_ms, requests = interactive(
        browser, f"{product.maya}/chat/tienda/", "#maya-text"
    )
    their_ms, their_requests = interactive(browser, address, "textarea")
    axe, policy = violations(browser, product)
    name = f"{PEER} {PEER_VERSION}"
    print(f"{'':34}{'Maya':>10}{name:>20}")
    print(f"{'KB, compressed':34}{ours / 1024:>10.1f}{theirs / 1024:>20.1f}")
    print(f"{'requests to open':34}{requests:>10}{their_requests:>20}")
    print(f"{'ms until one can type, CPU ÷ 4':34}{our_ms:>10.0f}{their_ms:>20.0f}")
    print(f"{'axe findings, policy violations':34}{f'{axe}, {policy}':>10}")
    figures = {
        "gzip_kb": round(ours / 1024, 1),
        "requests": requests,
        "interactive_ms_4x_slow_cpu": round(our_ms),
        "peer": name,
        "peer_gzip_kb": round(theirs / 1024, 1),
        "peer_interactive_ms_4x_slow_cpu": round(their_ms),
        "bytes_vs_peer": round(ours / theirs, 3),
        "axe_violations": axe,
        "csp_violations": policy,
    }
    print(json.dumps(figures))


def weight(files: list[Path]) -> int:
    """Return what a browser fetches of some files, compressed as servers do."""
    return sum(len(gzip.compress(file.read_bytes(), 9)) for file in files)


def interactive(browser: Browser, address: str, field: str) -> tuple[float, int]:
    """Return the median time until one can type, and how many requests that took."""
    times, requests = [], 0
    for _ in range(ROUNDS):
        with browser.new_context(viewport=PHONE) as context:
            page = context.new_page()
            asked: list[str] = []
            page.on("request", functools.partial(note, asked))
            debugger = context.new_cdp_session(page)
            debugger.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
            page.goto(address, wait_until="commit")
            page.locator(field).first.wait_for(timeout=PATIENCE_MS)
            page.locator(field).first.fill("a")
            times.append(float(page.evaluate("() => performance.now()")))
            page.wait_for_timeout(1500)
            requests = len([url for url in asked if not url.startswith("data:")])
    return statistics.median(times), requests


def note(asked: list[str], request: Request) -> None:
    """Keep what a page asked for."""
    asked.append(request.url)


def violations(browser: Browser, product: Product) -> tuple[int, int]:
    """Count the findings of axe and of the policy in the states that people meet."""
    found, broken = 0, 0
    for size in (DESKTOP, PHONE):
        for site, door in (("tienda", product.shop), ("banco", product.bank)):
            with browser.new_context(viewport=size, locale="es-ES") as context:
                window = Window(context, site)
                window.page.goto(door)
                window.page.get_by_role("button", name="Entrar como").first.click()
                window.page.locator("#maya-text").wait_for(timeout=PATIENCE_MS)
                found += len(window.violations())
                ask(window.page, STORIES[site])
                found += len(window.violations())
                broken += len(window.faults)
    return found, broken


def ask(page: Page, text: str) -> None:
    """Send a message and wait for its answer."""
    page.locator("#maya-text").fill(text)
    page.locator("#maya-text").press("Enter")
    answer = page.locator(".message.agent:not(.active)").first
    answer.wait_for(timeout=PATIENCE_MS)
    page.locator(".phase").first.wait_for(state="detached", timeout=PATIENCE_MS)


@contextmanager
def peer(folder: Path) -> Iterator[tuple[str, list[Path]]]:
    """Fetch the peer and serve it; yield its address and what a browser fetches."""
    folder.mkdir()
    command = [str(ROOT / ".ci/npm"), "pack", f"{PEER}@{PEER_VERSION}", "--silent"]
    packed = subprocess.run(
        command, cwd=folder, check=True, capture_output=True, text=True
    ).stdout.split()[-1]
    with tarfile.open(folder / packed) as archive:
        archive.extractall(folder, filter="data")
    dist = folder / "package/dist"
    (dist / "index.html").write_text(PEER_PAGE)
    handler = functools.partial(Quiet, directory=str(dist))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        port = server.server_address[1]
        yield f"http://127.0.0.1:{port}/", [dist / name for name in PEER_FILES]
    finally:
        server.shutdown()


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Serves without a word."""

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


if __name__ == "__main__":
    sys.exit(main())
