"""Settle: write down what became of a try, and what follows from it."""

from datetime import timedelta
from typing import TypeAlias

from django.db import transaction
from django.db.models import QuerySet
from django.db.models.functions import Coalesce, Now

from canales.linking.unlink import blocked
from canales.models import Alert, Delivery, DeliveryTry
from canales.telegram import bot

from .claim import Claimed
from .outcome import Outcome

Purpose = Delivery.Purpose
State: TypeAlias = Delivery.State

# A hiccup, a restart, an outage; after three quarters of an hour mail must do
RETRY_DELAYS = tuple(timedelta(seconds=s) for s in (5, 30, 120, 600, 1800))
# Buttons that mean nothing any more are worth a day of trying to take them away
EDIT_TRIES = 50

FINAL = {
    "sent": State.SENT,
    "unknown": State.UNKNOWN,
    "failed": State.FAILED,
    "blocked": State.FAILED,
    "dropped": State.DROPPED,
}


def settle(claimed: Claimed, outcome: Outcome) -> bool:
    """Store the outcome; say whether the lane may go on at once."""
    with transaction.atomic():
        DeliveryTry.objects.filter(delivery=claimed.id, number=claimed.attempts).update(
            verdict=outcome.verdict, detail=outcome.detail[:300], finished=Now()
        )
        state = FINAL.get(outcome.verdict) or _after_a_failure(claimed, outcome)
        if state is None:
            _postpone(claimed, outcome)
        elif _finish(claimed, state):
            _mark(claimed, state, outcome)
    if outcome.verdict == "disabled":
        bot.disable(outcome.detail)
    if outcome.verdict == "blocked":
        _unlink(claimed)
    return outcome.verdict in {"sent", "dropped", "failed"}


def _after_a_failure(claimed: Claimed, outcome: Outcome) -> State | None:
    """Return the end of what was tried often enough, or None: it is tried again."""
    if outcome.after or outcome.verdict == "disabled":
        # Told when to come again; or nothing leaves until there is a good token
        return None
    most = len(RETRY_DELAYS) if claimed.purpose == Purpose.SEND else EDIT_TRIES
    if claimed.attempts > most:
        return State.FAILED
    if claimed.purpose == Purpose.EDIT and _another_edit_waits(claimed):
        return State.DROPPED
    return None


def _another_edit_waits(claimed: Claimed) -> bool:
    return Delivery.objects.filter(
        alert=claimed.alert_id, purpose=Purpose.EDIT, state=State.WAITING
    ).exists()


def _held(claimed: Claimed) -> "QuerySet[Delivery]":
    return Delivery.objects.filter(
        pk=claimed.id, state=State.SENDING, lease_until=claimed.held
    )


def _finish(claimed: Claimed, state: State) -> bool:
    """Only who holds the lease decides; that something was sent is always believed."""
    ours = _held(claimed)
    if state == State.SENT:
        ours = Delivery.objects.filter(
            pk=claimed.id, state__in=[State.SENDING, State.UNKNOWN]
        )
    changed = ours.update(state=state, lease_until=None, finished_at=Now())
    return changed == 1


def _postpone(claimed: Claimed, outcome: Outcome) -> None:
    if outcome.after:
        delay = timedelta(seconds=outcome.after + 1)
    else:
        delay = RETRY_DELAYS[min(claimed.attempts, len(RETRY_DELAYS)) - 1]
    _held(claimed).update(state=State.WAITING, lease_until=None, due_at=Now() + delay)
    if outcome.after:
        # A chat that is told to wait waits with everything it has to say
        lane = Delivery.objects.filter(pk=claimed.id).values("lane")[:1]
        Delivery.objects.filter(
            lane=lane, state=State.WAITING, due_at__lt=Now() + delay
        ).update(due_at=Now() + delay)


def _mark(claimed: Claimed, state: State, outcome: Outcome) -> None:
    """Keep in the alert what its message shows now, and whether that is the end."""
    alerts = Alert.objects.filter(pk=claimed.alert_id)
    if outcome.message_id is not None:
        alerts.update(message_id=outcome.message_id)
    if outcome.shown is not None:
        alerts.update(shown=outcome.shown.hash, seq=outcome.shown.seq)
    is_over = outcome.shown.closes if outcome.shown else state == State.FAILED
    if is_over or (claimed.purpose == Purpose.SEND and state == State.DROPPED):
        alerts.update(closed_at=Coalesce("closed_at", Now()))


def _unlink(claimed: Claimed) -> None:
    alert = Alert.objects.select_related("link__site").get(pk=claimed.alert_id)
    if alert.link is not None:
        blocked(alert.link)
