"""The two stories as people live them: a real browser, the whole product, real rows."""

import re

import httpx
from playwright.sync_api import Page, expect

from .conftest import Window
from .product import Product

SLOW = 20_000


def enter(window: Window, door: str, who: str) -> Page:
    """Come in through a company's own page."""
    page = window.page
    page.goto(door)
    page.get_by_role("button", name=who).click()
    expect(page.locator("#maya-text")).to_be_visible(timeout=SLOW)
    return page


def say(page: Page, text: str) -> None:
    """Type and send."""
    page.locator("#maya-text").fill(text)
    page.locator("#maya-text").press("Enter")


def test_a_refund_from_the_question_to_the_receipt(
    product: Product, desktop: Window, office: Window
) -> None:
    before = len(product.changes_sent())
    page = enter(desktop, product.shop, "Ana López")
    desktop.shoot("1-empty")
    say(page, "revisa el pedido 4821 y prepara un reembolso")
    expect(page.get_by_text(re.compile("sin abrir")).last).to_be_visible(timeout=SLOW)
    desktop.shoot("2-question")
    assert len(product.changes_sent()) == before
    say(page, "sí, está sin abrir")
    card = page.locator("maya-run").last
    expect(card.get_by_role("button", name="Confirmar")).to_be_visible(timeout=SLOW)
    expect(card).to_contain_text("4821")
    expect(card).to_contain_text(re.compile(r"79,00\s€"))
    desktop.shoot("3-proposal")
    say(page, "sí")
    expect(card.get_by_role("button", name="Confirmar")).to_be_visible()
    assert len(product.changes_sent()) == before

    confirm = page.locator("[data-verb=confirm]").last
    confirm.dblclick()
    expect(page.locator("maya-run", has_text="Esperando al propietario")).to_be_visible(
        timeout=SLOW
    )
    desktop.shoot("4-waiting")
    assert len(product.changes_sent()) == before

    owner = office.page
    owner.goto(f"{product.maya}/admin/aprobaciones/")
    request = owner.locator("article.request", has_text="4821").first
    expect(request).to_contain_text("4821")
    office.shoot("1-inbox")
    request.get_by_role("button", name="Aprobar").dblclick()
    expect(page.locator("maya-run", has_text="Completado")).to_be_visible(timeout=SLOW)
    desktop.shoot("5-done")
    [refund] = [r for r in product.refunds() if r["order_id"] == "4821"]
    assert (refund["order_id"], refund["amount_minor"], refund["currency"]) == (
        "4821",
        7900,
        "EUR",
    )
    assert len(product.changes_sent()) == before + 1


def test_the_bank_plan_from_the_slider_to_the_table(
    product: Product, phone: Window, office: Window
) -> None:
    page = enter(phone, product.bank, "Beto Ruiz")
    say(page, "¿cómo voy con mi tarjeta?")
    apply = page.get_by_role("button", name=re.compile("Aplicar"))
    expect(apply).to_be_visible(timeout=SLOW)
    phone.shoot("1-surface")
    assert product.applied() == []
    slider = page.get_by_role("slider").first
    before = page.locator("maya-surface").first.inner_text()
    slider.focus()
    slider.press("ArrowRight")
    expect(page.locator("maya-surface").first).not_to_have_text(before, timeout=SLOW)
    slider.press("ArrowLeft")
    expect(apply).to_be_enabled(timeout=SLOW)
    expect(page.get_by_role("button", name="Aplicar plan a 18 meses")).to_be_visible(
        timeout=SLOW
    )
    expect(page.locator("maya-run")).to_have_count(0)
    expect(page.locator("input[type=range][aria-busy]")).to_have_count(0, timeout=SLOW)
    phone.shoot("2-simulated")
    apply.dblclick()
    expect(
        page.locator("maya-run", has_text=re.compile("Esperando|Completado"))
    ).to_be_visible(timeout=SLOW)
    owner = office.page
    owner.goto(f"{product.maya}/admin/aprobaciones/")
    waiting = owner.locator("article.request", has_text="tc_4821")
    if waiting.count():
        waiting.get_by_role("button", name="Aprobar").click()
    expect(page.locator("maya-run", has_text="Completado")).to_be_visible(timeout=SLOW)
    phone.shoot("3-done")
    assert product.applied() == [("aplicar_plan_pago", "beto", 18)]


def test_a_rejected_request_sends_nothing(
    product: Product, desktop: Window, office: Window
) -> None:
    sent = len(product.changes_sent())
    page = enter(desktop, product.shop, "Luis Mora")
    say(page, "cancela el pedido 4833")
    page.locator("[data-verb=confirm]").last.click(timeout=SLOW)
    expect(page.locator("maya-run", has_text="Esperando al propietario")).to_be_visible(
        timeout=SLOW
    )
    owner = office.page
    owner.goto(f"{product.maya}/admin/aprobaciones/")
    request = owner.locator("article.request", has_text="4833").first
    request.get_by_label("Motivo").fill("No procede")
    request.get_by_role("button", name="Rechazar").click()
    expect(page.locator("maya-run", has_text="Rechazado")).to_be_visible(timeout=SLOW)
    desktop.shoot("rejected")
    assert len(product.changes_sent()) == sent


def test_another_visitor_learns_nothing_and_every_door_is_there(
    product: Product,
) -> None:
    with httpx.Client(base_url=product.maya) as http:
        assert http.get("/healthz").status_code == 200
        assert http.get("/api/schema").status_code == 200
        assert http.get("/api/docs").status_code == 200
        token = http.post(
            "/api/sessions", json={"sitio": "tienda", "bearer": True}
        ).json()["token"]
        head = {"authorization": f"Bearer {token}"}
        key = "c5c1d94b-e88f-4bf6-8023-2dcd1e7ac67b"
        for path in (f"/api/runs/{key}", f"/api/runs/{key}/events"):
            assert http.get(path, headers=head).status_code == 404
