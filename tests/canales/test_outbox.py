"""The outbox: nothing twice for not knowing, nothing late, nothing lost."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db.models.functions import Now

from acciones.models import Decision
from acciones.steps.approve import approve
from acciones.steps.reject import reject
from canales.alerts.plan import plan
from canales.models import Alert, Delivery
from canales.outbox import deliver as deliver_module
from canales.outbox.claim import Claimed, claim, recover
from canales.outbox.deliver import deliver
from canales.outbox.outcome import Outcome
from canales.outbox.settle import settle
from canales.telegram import client
from tests.acciones.cast import fresh, talk

from .conftest import OLGA, Wired, alert_of


def send_of(alert: Alert) -> Delivery:
    return Delivery.objects.get(alert=alert, purpose="send")


def make_due() -> None:
    """Let waiting times pass, by the rows and not by patching a clock."""
    Delivery.objects.filter(state="waiting").update(due_at=Now())
    Delivery.objects.filter(state="sending").update(
        lease_until=Now() - timedelta(seconds=1)
    )


def test_a_retried_notification_after_the_decision_is_not_sent(wired: Wired) -> None:
    wired.telegram.behave(500, method="sendMessage", times=2)
    run = wired.waiting()
    approve(run.pk, member=wired.cast.owner, surface="admin", digest=run.digest)
    make_due()
    wired.sweep()
    assert wired.telegram.state.messages == {}
    assert send_of(alert_of(run, wired.olga)).state == "dropped"
    assert alert_of(run, wired.olga).closed_at is not None


@pytest.mark.parametrize("kind", ["hang", "drop"])
def test_a_send_whose_answer_was_lost_is_unknown_and_not_repeated(
    wired: Wired, kind: str
) -> None:
    wired.telegram.behave(kind, method="sendMessage", times=2, effect=True)
    run = wired.waiting()
    assert send_of(alert_of(run, wired.olga)).state == "unknown"
    make_due()
    wired.sweep()
    assert len(wired.telegram.chat(OLGA)) == 1
    # The message is there all the same, and its buttons say which it is
    assert alert_of(run, wired.olga).message_id is None
    assert wired.tap("Aprobar") == "Aprobada."
    assert fresh(run).state == "queued"
    assert wired.message().buttons == []


def test_an_unknown_send_brings_the_first_reminder_forward(wired: Wired) -> None:
    wired.telegram.behave("drop", method="sendMessage", times=2)
    run = wired.waiting()
    assert wired.telegram.chat(OLGA) == []
    Delivery.objects.filter(state="unknown").update(
        finished_at=Now() - timedelta(minutes=6)
    )
    wired.sweep()
    assert "sigue esperando" in wired.message().text
    assert alert_of(run, wired.olga).number == 1
    wired.sweep()
    assert len(wired.telegram.chat(OLGA)) == 1


class Died(BaseException):
    """The worker's end, at the worst moment."""


def dying(function: Callable[..., Any]) -> Callable[..., Any]:
    def die(*args: Any) -> Any:
        function(*args)
        raise Died

    return die


def test_a_crash_after_the_send_and_before_the_record(
    wired: Wired, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = wired.cast.confirmed()
    plan()
    senders = {"telegram": dying(deliver_module.SENDERS["telegram"])}
    with monkeypatch.context() as patched:
        patched.setattr(deliver_module, "SENDERS", senders)
        with pytest.raises(Died):
            deliver(f"telegram:{wired.olga.pk}")
    assert len(wired.telegram.chat(OLGA)) == 1
    assert send_of(alert_of(run, wired.olga)).state == "sending"
    make_due()
    wired.sweep()
    assert send_of(alert_of(run, wired.olga)).state == "unknown"
    assert len(wired.telegram.chat(OLGA)) == 1
    # … and what the crash left unrecorded still decides, and is still edited
    assert wired.tap("Rechazar") == "Rechazada: no se envió nada."
    assert Decision.objects.count() == 1
    assert wired.message().buttons == []


def test_a_crash_before_the_send_costs_a_lease_and_no_message(wired: Wired) -> None:
    run = wired.cast.confirmed()
    plan()
    assert claim(f"telegram:{wired.olga.pk}") is not None
    assert claim(f"telegram:{wired.olga.pk}") is None
    make_due()
    recover()
    assert send_of(alert_of(run, wired.olga)).state == "unknown"


def test_a_crash_while_editing_edits_again(
    wired: Wired, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = wired.waiting()
    reject(run.pk, member=wired.cast.teammate, surface="admin", digest=run.digest)
    plan()
    senders = {"telegram": dying(deliver_module.SENDERS["telegram"])}
    with monkeypatch.context() as patched:
        patched.setattr(deliver_module, "SENDERS", senders)
        with pytest.raises(Died):
            deliver(f"telegram:{wired.olga.pk}")
    make_due()
    wired.sweep()
    assert wired.message().buttons == []
    assert wired.message().edits == 1
    assert alert_of(run, wired.olga).closed_at is not None


def test_a_worker_that_lost_its_lease_writes_nothing_but_what_it_knows(
    wired: Wired,
) -> None:
    run = wired.cast.confirmed()
    plan()
    lane = f"telegram:{wired.olga.pk}"
    claimed = claim(lane)
    assert isinstance(claimed, Claimed)
    make_due()
    recover()
    delivery = send_of(alert_of(run, wired.olga))
    settled = settle(claimed, Outcome("retry", detail="late"))
    delivery.refresh_from_db()
    assert (settled, delivery.state) == (False, "unknown")
    outcome = deliver_module.SENDERS["telegram"](claimed.alert_id, "send")
    settle(claimed, outcome)
    delivery.refresh_from_db()
    assert delivery.state == "sent"
    assert alert_of(run, wired.olga).message_id == wired.message().id


def test_a_task_that_comes_twice_sends_once(wired: Wired) -> None:
    wired.cast.confirmed()
    plan()
    assert not any(plan() and Delivery.objects.count() > 2 for _ in range(3))
    for _ in range(3):
        deliver(f"telegram:{wired.olga.pk}")
    assert len(wired.telegram.chat(OLGA)) == 1


def test_the_edit_never_overtakes_its_message(wired: Wired) -> None:
    run = wired.cast.confirmed()
    plan()
    claimed = claim(f"telegram:{wired.olga.pk}")
    assert claimed is not None
    approve(run.pk, member=wired.cast.teammate, surface="admin", digest=run.digest)
    plan()
    deliver(f"telegram:{wired.olga.pk}")
    assert wired.telegram.chat(OLGA) == []


def test_a_decision_during_the_send_is_edited_afterwards(
    wired: Wired, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = wired.cast.confirmed()
    plan()
    send = client.call

    def decided_meanwhile(method: str, **parameters: Any) -> Any:
        if method == "send_message" and fresh(run).state == "awaiting_owner":
            approve(
                run.pk, member=wired.cast.teammate, surface="admin", digest=run.digest
            )
        return send(method, **parameters)

    with monkeypatch.context() as patched:
        patched.setattr(client, "call", decided_meanwhile)
        deliver(f"telegram:{wired.olga.pk}")
    assert wired.message().buttons != []
    wired.sweep()
    assert wired.message().buttons == []
    assert "Aprobada por" in wired.message().text


def test_a_flood_fills_no_chat(wired: Wired, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("canales.alerts.approvals.OPEN_IN_A_CHAT", 3)
    for number in range(5):
        wired.cast.confirmed(
            order=str(number), conversation=talk(wired.cast.site, wired.cast.customer)
        )
    wired.sweep()
    wired.sweep()
    assert len(wired.telegram.chat(OLGA)) == 3
    wired.tap("Aprobar")
    wired.sweep()
    assert len(wired.telegram.chat(OLGA)) == 4
