"""The inbox: what an approver sees, in which order, at which cost."""

import json
import re
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from acciones import events
from acciones.models import AuditEntry, Evidence, Member, Run
from acciones.steps.cancel import cancel
from acciones.steps.reject import reject
from tests.acciones.cast import Cast, talk

from .conftest import As


def page(client: Any, **query: Any) -> str:
    answer = client.get(reverse("admin:inbox"), query)
    assert answer.status_code == 200
    return str(answer.content.decode())


def many(house: Cast, count: int) -> list[Run]:
    """Let a customer confirm ``count`` refunds, each in a conversation of its own."""
    return [
        house.confirmed(
            order=f"48{number}", conversation=talk(house.site, house.customer)
        )
        for number in range(count)
    ]


def evidence(house: Cast, **more: Any) -> Evidence:
    return Evidence.objects.create(
        conversation=house.conversation,
        kind="policy",
        source="returns-policy",
        reference="returns-policy:section-3",
        observed={},
        fingerprint="f" * 64,
        **{"title": "Devoluciones", "quote": "Sin abrir, 30 días.", **more},
    )


def test_a_request_shows_everything_a_decision_rests_on(
    house: Cast, entered: As
) -> None:
    run = house.confirmed(evidence=[evidence(house)])
    shown = page(entered(house.owner))
    for word in (
        "Reembolsar pedido",
        "refund_order",
        "4821",
        "79,00\u00a0EUR",
        "Ana López",
        "ana@example.com",
        "tu sitio firmó su identidad",
        "returns-policy:section-3",
        "Sin abrir, 30 días.",
        "POST https://shop.example/agent/refund-order",
        run.digest[:8],
        "23 h 59 min",
    ):
        assert word in shown, word


def test_what_is_shown_is_what_will_be_sent(house: Cast, entered: As) -> None:
    run = house.confirmed()
    answer = entered(house.owner).get(reverse("admin:inbox"))
    row = answer.context["rows"][0]
    assert row.body_raw.encode() == bytes(run.proposal.body)
    assert json.loads(row.body) == json.loads(bytes(run.proposal.body))


def test_amounts_are_written_as_the_reader_writes_them(
    house: Cast, entered: As
) -> None:
    house.confirmed(amount="1079.50")
    client = entered(house.owner)
    assert "1\u00a0079,50\u00a0EUR" in page(client)
    english = client.get(reverse("admin:inbox"), headers={"accept-language": "en"})
    assert "1,079.50\u00a0EUR" in english.content.decode()


@pytest.mark.parametrize("hidden", ["\u202e", "\U000e0100", "\u3164"])
def test_invisible_characters_are_seen_everywhere(
    house: Cast, entered: As, hidden: str
) -> None:
    house.customer.customer.name = f"Ana{hidden}López"  # type: ignore[union-attr]
    house.customer.customer.save()  # type: ignore[union-attr]
    house.cancel.approval = "always"
    house.cancel.inputs = [{"name": "order_id"}]
    house.cancel.save()
    piece = evidence(house, quote=f"Sin{hidden}abrir", title=f"T{hidden}")
    house.confirmed(order=f"48{hidden}21", action=house.cancel, evidence=[piece])
    shown = page(entered(house.owner))
    assert hidden not in shown
    assert shown.count(f"⟨U+{ord(hidden):04X}⟩") >= 5


def test_markup_in_a_customers_text_stays_text(house: Cast, entered: As) -> None:
    piece = evidence(house, quote="<img src=x onerror=alert(1)>")
    house.confirmed(evidence=[piece])
    shown = page(entered(house.owner))
    assert "<img src=x" not in shown
    assert "&lt;img src=x" in shown


def test_the_oldest_waits_first(house: Cast, entered: As) -> None:
    first, second = many(house, 2)
    an_hour_ago = timezone.now() - timedelta(hours=1)
    Run.objects.filter(pk=second.pk).update(confirmed_at=an_hour_ago)
    shown = page(entered(house.owner))
    assert shown.index(f"run-{second.pk}") < shown.index(f"run-{first.pk}")
    assert "<title>(2) " in shown


def test_what_is_over_by_the_databases_clock_is_not_offered(
    house: Cast, entered: As
) -> None:
    run = house.confirmed()
    Run.objects.filter(pk=run.pk).update(expires_at=timezone.now())
    shown = page(entered(house.owner))
    assert str(run.pk) not in shown
    assert "No hay nada que aprobar" in shown
    assert reverse("admin:acciones_action_changelist") in shown


def test_an_anonymous_visitor_is_called_unverified(house: Cast, entered: As) -> None:
    house.refund.requires_customer = False
    house.refund.save()
    house.confirmed(visitor=house.anonymous)
    assert "Sin verificar: visitante anónimo" in page(entered(house.owner))


def test_the_talk_before_it_lies_beside_it(house: Cast, entered: As) -> None:
    run = house.confirmed()
    events.append(
        events.RUN,
        run.pk,
        type="message.received",
        payload={"message_id": "m1", "text": "Quiero devolverlo", "author": "customer"},
    )
    assert "Quiero devolverlo" in page(entered(house.owner))


def test_filters_and_search_narrow(house: Cast, entered: As) -> None:
    first, second = many(house, 2)
    client = entered(house.owner)
    for query in ("order:480", first.digest[:8], str(first.pk)):
        shown = page(client, q=query)
        assert str(first.pk) in shown, query
        assert str(second.pk) not in shown, query
    assert str(first.pk) in page(client, q="ana", accion="refund_order", sitio="tienda")
    assert "con estos filtros" in page(client, accion="cancel_order")
    assert str(first.pk) in page(client, p="-1")


def test_the_live_fragment_says_what_happened_elsewhere(
    house: Cast, entered: As
) -> None:
    rejected, gone, waits = many(house, 3)
    reject(
        rejected.pk,
        member=house.teammate,
        surface="telegram",
        digest=rejected.digest,
        reason="Ya lo hablamos",
    )
    Run.objects.filter(pk=gone.pk).update(state="cancelled", finished_at=timezone.now())
    seen = ",".join(str(run.pk) for run in (rejected, gone, waits))
    shown = page(entered(house.owner), trozo=1, vistas=seen)
    assert "<html" not in shown
    who = house.teammate.user.get_username()
    assert f"La rechazó {who} desde Telegram" in shown
    assert "Ya lo hablamos" in shown
    assert "El cliente la canceló" in shown
    assert shown.count("verdict") == 2
    assert 'data-count="1"' in shown


def test_the_fragment_tells_nothing_of_another_sites_run(
    house: Cast, entered: As
) -> None:
    run = house.confirmed()
    shown = page(entered(house.outsider), trozo=1, vistas=str(run.pk))
    assert str(run.pk) not in shown


def test_a_viewer_and_the_customer_themselves_get_no_buttons(
    house: Cast, entered: As
) -> None:
    house.confirmed()
    assert 'value="approve"' not in page(entered(house.viewer))
    Member.objects.filter(pk=house.owner.pk).update(customer_id="ana")
    shown = page(entered(house.owner))
    assert 'value="approve"' not in shown
    assert "Lo pediste tú como cliente" in shown


def test_the_cost_does_not_grow_with_the_rows(
    house: Cast, entered: As, support: User
) -> None:
    many(house, 12)
    for who in (house.owner, support):
        client = entered(who)
        page(client)  # the content types of Django's own are cached by now
        with CaptureQueriesContext(
            connection,
        ) as queries:
            page(client)
        asked = [q for q in queries if not re.match(r"SAVEPOINT|RELEASE", q["sql"])]
        assert len(asked) <= 10, "\n".join(q["sql"][:250] for q in asked)


def test_supports_look_leaves_a_trace_and_a_members_does_not(
    house: Cast, entered: As, support: User
) -> None:
    house.confirmed()
    page(entered(house.owner))
    views = AuditEntry.objects.filter(kind="view")
    assert not views.exists()
    page(entered(support))
    entry = views.get()
    assert (entry.user_id, entry.site_name) == (support.pk, "tienda")
    assert entry.address == "127.0.0.1"


def test_a_cancelled_offer_never_shows(house: Cast, entered: As) -> None:
    run = house.offer()
    cancel(run.pk, house.customer)
    assert str(run.pk) not in page(entered(house.owner))
