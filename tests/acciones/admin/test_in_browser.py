"""The admin in a real browser: two sizes, two schemes, under the strict CSP."""

from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from django.conf import settings as configured
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Browser, expect
from pytest_django.live_server_helper import LiveServer

from acciones.models import Attempt, Run
from acciones.steps.reject import reject
from agente.models import Rehearsal
from tests.acciones import cast as people
from tests.acciones.cast import Cast, fresh, talk

from .browsing import SIZES, Visit

AXE = Path(configured.BASE_DIR) / "web/node_modules/axe-core/axe.min.js"
SHOTS = Path(configured.BASE_DIR) / "var/screenshots/admin"
FAULTS = """async () => (await axe.run(document, {preload: false, resultTypes:
  ['violations']})).violations.map(found => [found.id, found.nodes[0].target[0]])"""
# A look at the rows every five seconds is the page's fallback without a WebSocket
SOON_MS = 12_000


@pytest.fixture
def town(transactional_db: None) -> Cast:
    """Return the cast with something to see on every page."""
    cast = people.assemble("https://shop.example")
    run = cast.approved(conversation=talk(cast.site, cast.customer))
    Run.objects.filter(pk=run.pk).update(
        state="failed", certain=False, finished_at=timezone.now(), due_at=None
    )
    Attempt.objects.create(
        run=run,
        number=1,
        digest=run.digest,
        finished=timezone.now(),
        sent_headers={"content-type": "application/json"},
        status_code=502,
        answer="<html>" + "x" * 300,
        verdict="uncertain",
    )
    return cast


def rehearsed(town: Cast) -> UUID:
    """Return a rehearsal in which the agent has proposed something."""
    conversation = talk(town.site, town.customer, rehearsal=True)
    town.offer(order="7", conversation=conversation)
    Rehearsal.objects.create(conversation=conversation, by=town.owner.user)
    return conversation.pk


def addresses(town: Cast) -> dict[str, str]:
    def change(model: str, row: Any) -> str:
        return reverse(f"admin:acciones_{model}_change", args=[row.pk])

    return {
        "home": reverse("admin:index"),
        "inbox": reverse("admin:inbox"),
        "inbox-empty": reverse("admin:inbox") + "?accion=cancel_order",
        "runs": reverse("admin:acciones_run_changelist"),
        "run": change("run", Run.objects.latest("finished_at")),
        "actions": reverse("admin:acciones_action_changelist"),
        "action": change("action", town.refund),
        "connection": change("connection", town.connection),
        "secrets": reverse("admin:acciones_agentsecret_changelist"),
        "secret-new": reverse("admin:acciones_agentsecret_add"),
        "identity": reverse("admin:identity"),
        "site": change("site", town.site),
        "rehearsal-new": reverse("admin:agente_rehearsal_add"),
        "rehearsal": reverse("admin:agente_rehearsal_change", args=[rehearsed(town)]),
        "start": reverse("start"),
        "api": reverse("docs"),
    }


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", list(SIZES))
def test_every_page_is_whole_accessible_and_within_the_policy(
    town: Cast,
    visit: Visit,
    live_server: LiveServer,
    complaints: list[str],
    size: str,
    scheme: str,
) -> None:
    town.confirmed()
    SHOTS.mkdir(parents=True, exist_ok=True)
    page = visit(town.owner, reverse("admin:index"), size=size, scheme=scheme)
    for name, address in addresses(town).items():
        page.goto(live_server.url + address)
        page.evaluate(
            "document.querySelectorAll('details').forEach(d => d.open = true)"
        )
        page.screenshot(path=SHOTS / f"{name}-{size}-{scheme}.png", full_page=True)
        page.evaluate(AXE.read_text())
        assert page.evaluate(FAULTS) == [], name
        wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert wide <= 0, name
        assert [c for c in complaints if "Content Security" in c] == [], name


def test_a_new_request_appears_without_reloading_and_the_title_counts(
    town: Cast, visit: Visit
) -> None:
    first = town.confirmed(order="1")
    page = visit(town.owner, reverse("admin:inbox"))
    reason = page.locator(f"#reason-{first.pk}")
    reason.fill("media frase")
    assert page.title().startswith("(1) ")
    second = town.confirmed(order="2", conversation=talk(town.site, town.customer))
    page.locator(f"#run-{second.pk}").wait_for(timeout=SOON_MS)
    assert page.title().startswith("(2) ")
    assert page.locator("#inbox-count").inner_text() == "2 solicitudes esperan"
    assert reason.input_value() == "media frase"


def test_a_decision_taken_elsewhere_shows_and_takes_the_buttons_away(
    town: Cast, visit: Visit
) -> None:
    run = town.confirmed()
    page = visit(town.owner, reverse("admin:inbox"))
    reject(run.pk, member=town.teammate, surface="telegram", digest=run.digest)
    card = page.locator(f"#run-{run.pk}")
    card.get_by_text("desde Telegram").wait_for(timeout=SOON_MS)
    assert card.locator("button").count() == 0
    assert page.get_by_text("No hay nada que aprobar").is_visible()


def test_the_keyboard_alone_approves(town: Cast, visit: Visit) -> None:
    run = town.confirmed()
    page = visit(town.owner, reverse("admin:inbox"))
    page.keyboard.press("j")
    page.keyboard.press("r")
    page.keyboard.type("ja, con razón")
    assert page.locator(f"#reason-{run.pk}").input_value() == "ja, con razón"
    page.keyboard.press("Tab")
    focused = "document.activeElement.value"
    assert page.evaluate(focused) == "approve"
    page.keyboard.press("Enter")
    page.locator(f"#run-{run.pk}").get_by_text("La aprobó").wait_for()
    assert fresh(run).state == "queued"
    expect(page).to_have_title("Aprobaciones | Maya")


def test_a_letter_moves_and_never_decides(town: Cast, visit: Visit) -> None:
    run = town.confirmed()
    page = visit(town.owner, reverse("admin:inbox"))
    for key in "jkaar":
        page.keyboard.press(key)
    page.wait_for_timeout(300)
    assert fresh(run).state == "awaiting_owner"


def test_a_stale_page_is_told_on_the_card_itself(town: Cast, visit: Visit) -> None:
    run = town.confirmed()
    page = visit(town.owner, reverse("admin:inbox"))
    button = page.locator("button.reject")
    reject(run.pk, member=town.teammate, surface="telegram", digest=run.digest)
    button.click()
    card = page.locator(f"#run-{run.pk}")
    card.get_by_role("alert").wait_for()
    assert town.teammate.user.get_username() in card.inner_text()
    assert fresh(run).decisions.count() == 1


def test_the_page_works_without_any_script(
    town: Cast, browser: Browser, live_server: LiveServer
) -> None:
    run = town.confirmed()
    context = browser.new_context(java_script_enabled=False, locale="es-ES")
    client = Client()
    client.force_login(town.owner.user)
    name = configured.SESSION_COOKIE_NAME
    context.add_cookies(
        [{"name": name, "value": client.cookies[name].value, "url": live_server.url}]
    )
    page = context.new_page()
    page.goto(live_server.url + reverse("admin:inbox"))
    page.locator("button.approve").click()
    assert "La aprobó" in page.locator(".messagelist").inner_text()
    assert fresh(run).state == "queued"
    context.close()
