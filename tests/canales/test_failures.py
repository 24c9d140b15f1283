"""When Telegram fails: tried again, given up, or told by mail; never for ever."""

from datetime import timedelta
from typing import Any

import pytest
from django.core import mail
from django.db.models.functions import Now

from acciones.models import AuditEntry
from acciones.steps.reject import reject
from canales.alerts.plan import plan
from canales.models import Alert, Delivery, DeliveryTry, TelegramBot
from canales.outbox.deliver import deliver
from canales.telegram import bot
from tests.acciones.cast import fresh, talk

from .conftest import OLGA, TOMAS, Wired, alert_of


def send_of(alert: Alert) -> Delivery:
    return Delivery.objects.get(alert=alert, purpose="send")


def make_due() -> None:
    """Let waiting times pass, by the rows and not by patching a clock."""
    Delivery.objects.filter(state="waiting").update(due_at=Now())
    Delivery.objects.filter(state="sending").update(
        lease_until=Now() - timedelta(seconds=1)
    )


@pytest.mark.parametrize(
    ("kind", "more"), [(429, {"retry_after": 3}), (500, {}), (502, {})]
)
def test_a_busy_telegram_is_tried_again(
    wired: Wired, kind: int, more: dict[str, Any]
) -> None:
    wired.telegram.behave(kind, method="sendMessage", times=2, **more)
    run = wired.waiting()
    assert wired.telegram.chat(OLGA) == []
    assert send_of(alert_of(run, wired.olga)).state == "waiting"
    make_due()
    wired.sweep()
    assert len(wired.telegram.chat(OLGA)) == 1
    tries = DeliveryTry.objects.filter(delivery__alert__link=wired.olga)
    verdicts = list(tries.order_by("number").values_list("verdict", flat=True))
    assert verdicts == ["retry", "sent"]


def test_a_chat_told_to_wait_waits_with_everything(wired: Wired) -> None:
    wired.telegram.behave(429, method="sendMessage", times=1, retry_after=60)
    for order in ("1", "2", "3"):
        wired.cast.confirmed(
            order=order, conversation=talk(wired.cast.site, wired.cast.customer)
        )
    plan()
    deliver(f"telegram:{wired.olga.pk}")
    assert len(wired.telegram.calls("sendMessage")) == 1
    held = Delivery.objects.filter(lane=f"telegram:{wired.olga.pk}")
    assert held.filter(due_at__gt=Now() + timedelta(seconds=50)).count() == 3


def test_a_message_that_the_owner_deleted_is_given_up(wired: Wired) -> None:
    run = wired.waiting()
    wired.telegram.state.messages.clear()
    reject(run.pk, member=wired.cast.owner, surface="admin", digest=run.digest)
    wired.sweep()
    assert alert_of(run, wired.olga).closed_at is not None
    calls = len(wired.telegram.calls("editMessageText"))
    wired.sweep()
    assert len(wired.telegram.calls("editMessageText")) == calls


def test_edits_that_fail_for_long_end_somewhere(wired: Wired) -> None:
    run = wired.waiting()
    wired.telegram.behave(500, method="editMessageText")
    reject(run.pk, member=wired.cast.owner, surface="admin", digest=run.digest)
    wired.sweep()
    edit = Delivery.objects.get(alert=alert_of(run, wired.olga), purpose="edit")
    assert edit.state == "waiting"
    Delivery.objects.filter(pk=edit.pk).update(attempts=50, due_at=Now())
    wired.sweep()
    edit.refresh_from_db()
    assert edit.state == "failed"
    assert alert_of(run, wired.olga).closed_at is not None


def test_a_blocked_bot_unlinks_the_chat_and_mail_takes_over(wired: Wired) -> None:
    wired.telegram.state.blocked.add(OLGA.id)
    wired.waiting()
    wired.olga.refresh_from_db()
    assert wired.olga.ended_why == "blocked"
    entry = AuditEntry.objects.get(verb="telegram.unlink")
    assert entry.after == {"ended": "blocked"}
    wired.sweep()
    (message,) = mail.outbox
    assert message.to == [wired.cast.owner.user.email]
    assert "1 solicitud espera tu decisión" in message.subject
    assert "/admin/aprobaciones/" in message.body
    assert len(wired.telegram.chat(TOMAS)) == 1


def test_sends_that_fail_for_long_become_mail(wired: Wired) -> None:
    wired.telegram.behave(500, method="sendMessage")
    run = wired.waiting()
    delivery = send_of(alert_of(run, wired.olga))
    Delivery.objects.filter(pk=delivery.pk).update(attempts=5, due_at=Now())
    wired.sweep()
    delivery.refresh_from_db()
    assert delivery.state == "failed"
    wired.sweep()
    assert [message.to for message in mail.outbox] == [[wired.cast.owner.user.email]]


@pytest.mark.parametrize("kind", [401, 404])
def test_a_refused_token_stops_the_bot_and_tells_the_owner(
    wired: Wired, kind: int
) -> None:
    wired.telegram.behave(kind)
    run = wired.waiting()
    row = TelegramBot.objects.get()
    assert row.disabled_at is not None
    calls = len(wired.telegram.state.calls)
    make_due()
    wired.sweep()
    assert len(wired.telegram.state.calls) == calls
    told = {message.to[0]: message for message in mail.outbox}
    assert "Telegram ya no acepta a nuestro bot" in "".join(
        str(message.body) for message in mail.outbox
    )
    assert wired.cast.owner.user.email in told
    assert any("espera tu decisión" in m.subject for m in mail.outbox)
    # A bot that works again says what still waits, once
    wired.telegram.be_well()
    bot.check()
    make_due()
    wired.sweep()
    assert len(wired.telegram.chat(OLGA)) == 1
    assert fresh(run).state == "awaiting_owner"


def test_a_new_token_is_a_new_chance(wired: Wired, settings: Any) -> None:
    bot.disable("Unauthorized")
    assert bot.usable() is None
    settings.MAYA_TELEGRAM_TOKEN = "4821:another"
    assert bot.usable() is not None


def test_an_unreachable_telegram_costs_nothing_but_time(
    wired: Wired, settings: Any
) -> None:
    settings.MAYA_TELEGRAM_API = "http://127.0.0.1:9"
    run = wired.waiting()
    delivery = send_of(alert_of(run, wired.olga))
    assert delivery.state == "waiting"
    tried = DeliveryTry.objects.get(delivery=delivery)
    assert tried.verdict == "retry"
    assert "ConnectError" in tried.detail
    settings.MAYA_TELEGRAM_API = wired.telegram.url
    make_due()
    wired.sweep()
    assert len(wired.telegram.chat(OLGA)) == 1


def test_secrets_stay_out_of_rows_and_logs(
    wired: Wired, caplog: pytest.LogCaptureFixture
) -> None:
    wired.telegram.behave("drop", method="sendMessage")
    with caplog.at_level("DEBUG"):
        wired.waiting()
    token = wired.telegram.state.token
    ours = [r.getMessage() for r in caplog.records if r.name.startswith("canales")]
    assert ours
    assert not any(token in line for line in ours)
    details = DeliveryTry.objects.values_list("detail", flat=True)
    assert not any(token in detail for detail in details)
