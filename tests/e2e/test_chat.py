"""What a chat goes through: cuts, restarts, tabs, double clicks, blocked transports."""

import json
import re
import sys
from collections.abc import Iterator
from contextlib import suppress

import httpx
import pytest
from playwright.sync_api import Locator, Page, Request, Route, WebSocketRoute, expect

from maya.demonstration.environ import Environ
from maya.demonstration.keys import parse
from maya.demonstration.ports import Ports
from maya.demonstration.run import DAPHNE
from maya.lib.guarded import Guarded
from tests.demo.process import free_port

from .conftest import Window
from .product import ROOT, Product
from .proxy import Network
from .test_stories import SLOW, enter, say

POLICY = "¿cuántos días tengo para devolver un producto sin abrir?"
ANSWERED = re.compile("30 días")
SLIDER_MS = 300
"""From letting go to the new figures on the screen."""
PRESSES = 5
LIVE = re.compile(r"/ws/conversations/")
EVENTS = re.compile(r"/api/conversations/[^/]+/events")
ELEGIR = """
() => document.querySelector('maya-surface').act(
  {key: 'k /', name: 'NAME', sourceComponentId: 'plazo', context: {plazoMeses: 24}})
"""


@pytest.fixture
def network(product: Product) -> Iterator[Network]:
    """Put a network that can be cut in front of Maya."""
    network = Network(int(product.maya.rsplit(":", 1)[1]))
    try:
        yield network
    finally:
        network.close()


def answers(page: Page) -> Locator:
    """Return what the agent said of the policy."""
    return page.locator(".message.agent:not(.active)", has_text=ANSWERED)


def sent_actions(page: Page) -> list[dict[str, object]]:
    """Collect the actions that leave the page from now on."""
    actions: list[dict[str, object]] = []

    def note(request: Request) -> None:
        if request.url.endswith("/api/agente") and "action" in (
            request.post_data or ""
        ):
            actions.append(json.loads(request.post_data or "{}")["action"])

    page.on("request", note)
    return actions


def test_an_answer_survives_a_cut_and_a_restart_of_the_server(
    product: Product, network: Network, desktop: Window
) -> None:
    page = desktop.page
    page.goto(f"{network.origin}/chat/tienda/")
    say(page, "hola")
    expect(page.locator(".message.agent:not(.active)")).to_have_count(1, timeout=SLOW)
    say(page, POLICY)
    network.cut()
    expect(page.locator(".notice p")).to_be_visible(timeout=SLOW)
    # Another process answers from here on: nothing of the first one is left
    port = free_port()
    restarted = Guarded(
        [sys.executable, *DAPHNE, str(port)],
        log=ROOT / "var/web-restarted.log",
        environ=product_environ(product),
        stop_seconds=5,
    )
    try:
        until_it_answers(port)
        network.target = port
        network.restore()
        expect(answers(page)).to_have_count(1, timeout=60_000)
        expect(page.locator(".notice p")).to_have_count(0, timeout=SLOW)
        expect(page.locator(".bubble", has_text="sin abrir")).to_have_count(1)
        desktop.shoot("back")
    finally:
        restarted.stop()


def product_environ(product: Product) -> dict[str, str]:
    """Return what the demo's own web process got."""
    ports = Ports(*(int(one.rsplit(":", 1)[1]) for one in product.addresses))
    keys = parse((product.var / "demo.env").read_text())
    found = Environ(product.var / "demo", ports, keys, {}).maya()
    return {**found, **product.services, "DJANGO_SETTINGS_MODULE": "maya.settings"}


def until_it_answers(port: int) -> None:
    """Wait for a server."""
    for _ in range(300):
        with suppress(httpx.HTTPError):
            if httpx.get(f"http://127.0.0.1:{port}/healthz", timeout=1).is_success:
                return
    raise AssertionError("the server did not come back")


def test_two_tabs_are_in_step(product: Product, desktop: Window) -> None:
    page = desktop.page
    page.goto(f"{product.maya}/chat/tienda/")
    say(page, "hola")
    expect(page.locator(".message.agent:not(.active)")).to_have_count(1, timeout=SLOW)
    second = page.context.new_page()
    second.goto(f"{product.maya}/chat/tienda/")
    expect(second.locator(".bubble", has_text="hola")).to_be_visible(timeout=SLOW)
    say(second, POLICY)
    for tab in (page, second):
        expect(answers(tab)).to_have_count(1, timeout=SLOW)
        expect(tab.locator(".bubble")).to_have_count(2)


@pytest.mark.parametrize(
    ("blocked", "order"), [("websocket", "4830"), ("websocket and sse", "A128")]
)
def test_a_blocked_transport_only_costs_time(
    product: Product, phone: Window, blocked: str, order: str
) -> None:
    page = phone.page
    page.route_web_socket(LIVE, refuse)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    if "sse" in blocked:
        page.route(EVENTS, abort)
    enter(phone, product.shop, "Ana López")
    say(page, f"cancela el pedido {order}")
    confirm = page.locator("[data-verb=confirm]").last
    expect(confirm).to_be_visible(timeout=60_000)
    confirm.dblclick()
    waiting = page.locator("maya-run", has_text="Esperando al propietario")
    expect(waiting).to_be_visible(timeout=60_000)
    phone.shoot(blocked.replace(" ", "-"))
    assert any(EVENTS.search(url) for url in asked)
    assert "Reconectando" not in page.locator(".notice").inner_text()


def refuse(socket: WebSocketRoute) -> None:
    """Be a proxy that lets no WebSocket through."""
    socket.close()


def abort(route: Route) -> None:
    """Be a proxy that lets no stream through."""
    route.abort()


def test_the_slider_sends_one_action_and_is_answered_at_once(
    product: Product, desktop: Window
) -> None:
    page = enter(desktop, product.bank, "Beto Ruiz")
    say(page, "¿cómo voy con mi tarjeta?")
    slider = page.get_by_role("slider").first
    expect(slider).to_be_visible(timeout=SLOW)
    expect(page.locator(".phase")).to_have_count(0, timeout=SLOW)
    actions = sent_actions(page)
    times = [dragged(page, slider, press) for press in range(PRESSES)]
    assert [action["name"] for action in actions] == ["simular_plan"] * PRESSES
    assert sorted(times)[PRESSES // 2] < SLIDER_MS, times
    keys = {str(action["idempotencyKey"]) for action in actions}
    assert len(keys) == PRESSES
    expect(page.locator("maya-surface")).to_have_count(1)


def dragged(page: Page, slider: Locator, press: int) -> float:
    """Let the slider go somewhere else; return the milliseconds to its new figures."""
    settled = page.locator("[aria-disabled=true]:not([type=submit])")
    expect(settled).to_have_count(0, timeout=SLOW)
    key = "ArrowRight" if press % 2 == 0 else "ArrowLeft"
    slider.focus()
    page.evaluate(
        """() => {
          const button = [...document.querySelectorAll('maya-surface button')]
            .find(one => one.textContent.includes('Aplicar'));
          const before = button.textContent;
          globalThis.took = new Promise(resolve => {
            addEventListener('keyup', () => {
              const start = performance.now();
              const look = () => button.textContent === before
                ? requestAnimationFrame(look) : resolve(performance.now() - start);
              look();
            }, {once: true, capture: true});
          });
        }"""
    )
    slider.press(key)
    return float(page.evaluate("() => globalThis.took"))


def test_ver_sends_nothing_and_elegir_confirms_nothing(
    product: Product, desktop: Window
) -> None:
    page = enter(desktop, product.bank, "Beto Ruiz")
    say(page, "¿cómo voy con mi tarjeta?")
    expect(page.get_by_role("slider").first).to_be_visible(timeout=SLOW)
    applied = product.applied()
    actions = sent_actions(page)
    tabs = page.get_by_role("tab")
    for index in range(tabs.count()):
        tabs.nth(index).dblclick()
    page.evaluate(ELEGIR.replace("NAME", "ver_comparar"))
    page.wait_for_timeout(500)
    assert actions == []
    page.evaluate(ELEGIR.replace("NAME", "elegir_plazo"))
    page.wait_for_timeout(1500)
    assert [action["name"] for action in actions] == ["elegir_plazo"]
    assert page.locator("maya-run").count() == 0
    assert product.applied() == applied


def test_a_double_click_on_any_button_is_one_click(
    product: Product, desktop: Window
) -> None:
    page = enter(desktop, product.shop, "Luis Mora")
    posts: list[str] = []
    page.on(
        "request",
        lambda request: posts.append(request.url) if request.method == "POST" else None,
    )
    page.locator(".suggestion").first.dblclick()
    expect(page.locator(".message.agent:not(.active)").first).to_be_visible(
        timeout=SLOW
    )
    assert len([url for url in posts if url.endswith("/api/agente")]) == 1
    expect(page.locator(".bubble")).to_have_count(1)
    page.locator("#maya-text").fill("hola")
    page.get_by_role("button", name="Enviar").dblclick()
    expect(page.locator(".bubble")).to_have_count(2)
    page.wait_for_timeout(500)
    assert len([url for url in posts if url.endswith("/api/agente")]) == 2


def test_a_receipt_goes_to_paper_alone(product: Product, desktop: Window) -> None:
    page = enter(desktop, product.shop, "Ana López")
    say(page, "cancela el pedido 4830")
    cancel = page.locator("[data-verb=cancel]").last
    expect(cancel).to_be_visible(timeout=SLOW)
    cancel.dblclick()
    receipt = page.locator("maya-run", has_text="Cancelado").last
    expect(receipt).to_be_visible(timeout=SLOW)
    page.evaluate("() => { globalThis.print = () => { globalThis.printed = true; } }")
    receipt.get_by_role("button", name="Imprimir").click()
    assert page.evaluate("() => globalThis.printed")
    page.emulate_media(media="print")
    expect(page.locator(".bubble").first).to_be_hidden()
    expect(receipt).to_be_visible()
    expect(receipt).to_contain_text("Huella")
    assert page.pdf(path=str(ROOT / "var/screenshots/receipt.pdf"))
    page.emulate_media(media="screen")
    page.evaluate("() => dispatchEvent(new Event('afterprint'))")
    expect(page.locator(".bubble").first).to_be_visible()
