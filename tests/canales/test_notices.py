"""Alerts beside approvals, and mail for who has no chat that works."""

from datetime import timedelta
from typing import Any

import pytest
from django.core import mail
from django.core.checks import run_checks
from django.core.mail import EmailMessage
from django.db.models.functions import Now

from acciones.executors.answer import Outcome as Answered
from acciones.models import Connection, Member
from acciones.steps import claim, settle
from canales import tasks
from canales.alerts.plan import plan
from canales.models import Alert, Delivery, Outage, TelegramLink
from canales.outbox.deliver import deliver
from tests.acciones.cast import Cast, talk

from .conftest import OLGA, TOMAS, Wired


def uncertain(wired: Wired) -> Any:
    """Have a change end without anybody knowing what happened."""
    run = wired.cast.approved()
    row = claim.claim(run.pk)
    assert row is not None
    row = claim.begin(row)
    assert row is not None
    settle.answered(row, Answered("uncertain", detail="time-out"), {}, retries=False)
    return run


def test_owners_hear_of_an_uncertain_failure(wired: Wired) -> None:
    run = uncertain(wired)
    wired.sweep()
    wired.sweep()
    (message,) = wired.telegram.chat(OLGA)
    assert "no pudimos confirmar el resultado de «Reembolsar pedido»" in message.text
    assert "no demuestra que tu sistema no haya hecho ningún cambio" in message.text
    assert str(run.pk) in message.text
    assert message.buttons == []
    assert wired.telegram.chat(TOMAS) == []


def test_old_notices_are_no_news_for_a_new_chat(wired: Wired) -> None:
    uncertain(wired)
    TelegramLink.objects.filter(pk=wired.olga.pk).update(
        created=Now() + timedelta(minutes=1)
    )
    wired.sweep()
    assert wired.telegram.chat(OLGA) == []


def test_a_connection_that_is_switched_off_is_told_once(wired: Wired) -> None:
    connections = Connection.objects.filter(pk=wired.cast.connection.pk)
    connections.update(enabled=False)
    wired.sweep()
    wired.sweep()
    (message,) = wired.telegram.chat(OLGA)
    assert "la conexión «Tienda» está desactivada" in message.text
    connections.update(enabled=True)
    wired.sweep()
    assert Outage.objects.get().ended_at is not None
    connections.update(enabled=False)
    wired.sweep()
    assert len(wired.telegram.chat(OLGA)) == 2


def test_a_connection_that_is_back_already_is_not_told(wired: Wired) -> None:
    connections = Connection.objects.filter(pk=wired.cast.connection.pk)
    connections.update(enabled=False)
    plan()
    connections.update(enabled=True)
    plan()
    deliver(f"telegram:{wired.olga.pk}")
    assert wired.telegram.chat(OLGA) == []
    assert Delivery.objects.get().state == "dropped"


@pytest.fixture
def unwired(house: Cast, settings: Any, monkeypatch: pytest.MonkeyPatch) -> Cast:
    """Return the cast of an installation without a bot."""
    settings.MAYA_TELEGRAM_TOKEN = ""
    settings.MAYA_BASE_URL = "https://maya.example"
    monkeypatch.setattr(tasks.deliver, "delay", tasks.deliver)
    return house


def subjects() -> dict[str, str]:
    return {message.to[0]: str(message.subject) for message in mail.outbox}


def test_without_telegram_whoever_may_decide_gets_a_mail(unwired: Cast) -> None:
    unwired.confirmed()
    tasks.sweep()
    assert subjects() == {
        "owner@example.com": "Tienda: 1 solicitud espera tu decisión",
        "teammate@example.com": "Tienda: 1 solicitud espera tu decisión",
    }
    body = str(mail.outbox[0].body)
    assert "https://maya.example/admin/aprobaciones/" in body
    for private in ("Ana", "4821", "79"):
        assert private not in body


def test_many_requests_are_one_mail(unwired: Cast) -> None:
    for number in range(4):
        unwired.confirmed(
            order=str(number), conversation=talk(unwired.site, unwired.customer)
        )
    tasks.sweep()
    assert len(mail.outbox) == 2
    unwired.confirmed(order="9", conversation=talk(unwired.site, unwired.customer))
    tasks.sweep()
    assert len(mail.outbox) == 2
    Alert.objects.update(created=Now() - timedelta(minutes=16))
    tasks.sweep()
    assert len(mail.outbox) == 4
    assert "5 solicitudes esperan" in mail.outbox[-1].subject
    Alert.objects.update(created=Now() + timedelta(seconds=1))
    Alert.objects.update(created=Now() - timedelta(minutes=14))
    tasks.sweep()
    assert len(mail.outbox) == 4


def test_a_linked_chat_is_enough(wired: Wired) -> None:
    wired.waiting()
    wired.sweep()
    assert mail.outbox == []


def test_a_mail_that_came_too_late_is_not_sent(unwired: Cast) -> None:
    run = unwired.confirmed()
    plan()
    Member.objects.filter(pk=unwired.teammate.pk).update(role="viewer")
    type(run).objects.filter(pk=run.pk).update(expires_at=Now())
    tasks.sweep()
    assert mail.outbox == []
    assert set(Delivery.objects.values_list("state", flat=True)) == {"dropped"}


@pytest.mark.parametrize(
    ("error", "state"),
    [(ConnectionRefusedError(), "waiting"), (TimeoutError(), "unknown")],
)
def test_a_mail_server_that_fails_is_judged_honestly(
    unwired: Cast, monkeypatch: pytest.MonkeyPatch, error: Exception, state: str
) -> None:
    def fail(self: Any, fail_silently: bool = False) -> int:
        raise error

    monkeypatch.setattr(EmailMessage, "send", fail)
    unwired.confirmed()
    tasks.sweep()
    assert set(Delivery.objects.values_list("state", flat=True)) == {state}


def problems(settings: Any, **values: str) -> set[str | None]:
    for name, value in values.items():
        setattr(settings, name, value)
    return {problem.id for problem in run_checks(tags=["security"])}


def test_bad_configuration_fails_at_check(settings: Any) -> None:
    good = {"MAYA_TELEGRAM_TOKEN": "1:a", "MAYA_TELEGRAM_SECRET": "x" * 32}
    assert not {i for i in problems(settings, **good) if str(i).startswith("canales")}
    assert "canales.E001" in problems(settings, MAYA_TELEGRAM_TOKEN="token")
    assert "canales.E002" in problems(settings, MAYA_TELEGRAM_SECRET="short")
    assert "canales.E003" in problems(settings, MAYA_TELEGRAM_API="http://x.example")
