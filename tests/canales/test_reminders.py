"""Reminders of what still waits, and hours in which only what cannot wait is sent."""

from datetime import UTC, datetime, time, timedelta
from typing import Any

import pytest
from django.db.models.functions import Now
from django.utils import timezone

from acciones.models import Run
from acciones.steps.approve import approve
from canales.alerts.plan import plan
from canales.alerts.quiet import end_of_quiet, not_before
from canales.models import Alert, Delivery, TelegramLink

from .conftest import OLGA, TOMAS, Wired, alert_of


def age(run: Run, **by: float) -> None:
    """Let a confirmation be that long ago."""
    Run.objects.filter(pk=run.pk).update(confirmed_at=Now() - timedelta(**by))


def test_what_still_waits_is_told_again_twice(wired: Wired) -> None:
    run = wired.waiting()
    for hours, count in ((1, 1), (2.1, 2), (10, 2), (20.1, 3), (23, 3)):
        age(run, hours=hours)
        wired.sweep()
        assert len(wired.telegram.chat(OLGA)) == count
    assert "sigue esperando, quedan 23 h" in wired.message().text
    # The newest buttons decide, and the older messages lose theirs
    assert wired.tap("Rechazar") == "Rechazada: no se envió nada."
    wired.sweep()
    for message in wired.telegram.chat(OLGA):
        assert message.buttons == []
        assert "Rechazada por" in message.text


def test_an_older_messages_buttons_decide_too(wired: Wired) -> None:
    run = wired.waiting()
    age(run, hours=3)
    wired.sweep()
    first = wired.telegram.chat(OLGA)[0]
    update = wired.telegram.press(OLGA, first, "Aprobar")
    wired.telegram.post(update)
    assert wired.telegram.answer_to(update) == "Aprobada."


def test_who_decided_is_not_reminded(wired: Wired) -> None:
    wired.cast.refund.quorum = 2
    wired.cast.refund.save()
    run = wired.waiting()
    approve(run.pk, member=wired.cast.owner, surface="admin", digest=run.digest)
    age(run, hours=3)
    wired.sweep()
    assert len(wired.telegram.chat(OLGA)) == 1
    assert len(wired.telegram.chat(TOMAS)) == 2


def test_what_is_decided_is_not_told_again(wired: Wired) -> None:
    run = wired.waiting()
    approve(run.pk, member=wired.cast.teammate, surface="admin", digest=run.digest)
    age(run, hours=3)
    wired.sweep()
    assert len(wired.telegram.chat(OLGA)) == 1


def test_a_chat_linked_late_gets_one_message_not_all(wired: Wired) -> None:
    run = wired.cast.confirmed()
    age(run, hours=21)
    wired.sweep()
    wired.sweep()
    (message,) = wired.telegram.chat(OLGA)
    assert "sigue esperando" in message.text
    assert alert_of(run, wired.olga).number == 2


MADRID = {"time_zone": "Europe/Madrid", "language": "es"}


def link(quiet_from: time, quiet_until: time, **more: Any) -> TelegramLink:
    return TelegramLink(
        quiet_from=quiet_from, quiet_until=quiet_until, **(MADRID | more)
    )


NIGHT = (time(22), time(8))
NAP = (time(14), time(16, 30))


@pytest.mark.parametrize(
    ("hours", "now", "end"),
    [
        # Madrid is two hours ahead of UTC in summer, one in winter
        (NIGHT, datetime(2026, 7, 1, 20, 0, tzinfo=UTC), "2026-07-02T06:00"),
        (NIGHT, datetime(2026, 7, 2, 5, 59, tzinfo=UTC), "2026-07-02T06:00"),
        (NIGHT, datetime(2026, 7, 2, 6, 0, tzinfo=UTC), None),
        (NIGHT, datetime(2026, 7, 1, 19, 59, tzinfo=UTC), None),
        (NIGHT, datetime(2026, 1, 1, 22, 0, tzinfo=UTC), "2026-01-02T07:00"),
        (NAP, datetime(2026, 7, 1, 12, 0, tzinfo=UTC), "2026-07-01T14:30"),
        (NAP, datetime(2026, 7, 1, 14, 30, tzinfo=UTC), None),
        # The night in which the clocks go forward, and the one in which they go back
        (NIGHT, datetime(2026, 3, 28, 22, 0, tzinfo=UTC), "2026-03-29T06:00"),
        (NIGHT, datetime(2026, 10, 24, 21, 0, tzinfo=UTC), "2026-10-25T07:00"),
        ((time(9), time(9)), datetime(2026, 7, 1, 7, 0, tzinfo=UTC), None),
    ],
)
def test_quiet_hours_go_by_the_clock_on_the_owners_wall(
    hours: tuple[time, time], now: datetime, end: str | None
) -> None:
    found = end_of_quiet(link(*hours), now)
    said = found.astimezone(UTC).isoformat()[:16] if found else None
    assert said == end


def test_without_quiet_hours_nothing_waits() -> None:
    now = datetime(2026, 7, 1, 23, 0, tzinfo=UTC)
    assert not_before(TelegramLink(**MADRID), now) == now


def test_what_would_expire_in_the_night_does_not_wait() -> None:
    now = datetime(2026, 7, 1, 23, 0, tzinfo=UTC)
    morning = datetime(2026, 7, 2, 6, 0, tzinfo=UTC)
    late, early = morning + timedelta(hours=2), morning + timedelta(minutes=30)
    assert not_before(link(*NIGHT), now, expires_at=late) == morning
    assert not_before(link(*NIGHT), now, expires_at=early) == now


def always_quiet(wired: Wired) -> None:
    """Have quiet hours that began an hour ago and end in two."""
    now = timezone.now().astimezone(UTC)
    wired.olga.time_zone = "UTC"
    wired.olga.quiet_from = (now - timedelta(hours=1)).time()
    wired.olga.quiet_until = (now + timedelta(hours=2)).time()
    wired.olga.save()


def test_in_quiet_hours_only_the_others_hear(wired: Wired) -> None:
    always_quiet(wired)
    run = wired.waiting()
    assert wired.telegram.chat(OLGA) == []
    assert len(wired.telegram.chat(TOMAS)) == 1
    # A reminder that becomes due meanwhile does not join the queue
    age(run, hours=3)
    wired.sweep()
    assert Alert.objects.filter(link=wired.olga).count() == 1
    Delivery.objects.filter(alert__link=wired.olga).update(due_at=Now())
    wired.sweep()
    assert len(wired.telegram.chat(OLGA)) == 1


def test_what_was_decided_in_the_night_is_not_told_in_the_morning(
    wired: Wired,
) -> None:
    always_quiet(wired)
    run = wired.waiting()
    approve(run.pk, member=wired.cast.teammate, surface="admin", digest=run.digest)
    Delivery.objects.filter(alert__link=wired.olga).update(due_at=Now())
    wired.sweep()
    assert wired.telegram.chat(OLGA) == []


def test_edits_make_no_sound_and_do_not_wait(wired: Wired) -> None:
    run = wired.waiting()
    always_quiet(wired)
    approve(run.pk, member=wired.cast.teammate, surface="admin", digest=run.digest)
    wired.sweep()
    assert wired.message().buttons == []


def test_planning_twice_plans_once(wired: Wired) -> None:
    wired.cast.confirmed()
    for _ in range(3):
        assert plan()
    assert Alert.objects.filter(kind="approval", link__isnull=False).count() == 2
