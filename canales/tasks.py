"""Celery's thin side of the outbox: rows say what is due."""

from datetime import timedelta

from celery import shared_task
from django.db.models.functions import Now

from .alerts.plan import plan
from .linking.unlink import forget_invitations
from .models import TelegramUpdate
from .outbox.claim import due_lanes, recover
from .outbox.deliver import deliver as deliver_lane
from .telegram import bot

# Telegram keeps an update for a day; what comes later than that is no repetition
UPDATES_KEPT = timedelta(days=2)


@shared_task(name="canales.deliver")
def deliver(lane: str) -> None:
    """Send what is due in one lane."""
    deliver_lane(lane)


@shared_task(name="canales.sweep")
def sweep() -> None:
    """Plan what is to be told, and wake a worker for each lane with something due."""
    recover()
    plan()
    forget_invitations()
    TelegramUpdate.objects.filter(received__lt=Now() - UPDATES_KEPT).delete()
    resting = "" if bot.usable() else "telegram:"
    for lane in due_lanes(without=resting):
        deliver.delay(lane)
