"""Finds turns that wait for nobody but a worker."""

from datetime import timedelta
from uuid import UUID

from django.db.models import Exists, OuterRef, Q
from django.db.models.functions import Now

from agente.models import Turn

AT_ONCE = 100


def due_turns(*, waited: float = 0) -> list[UUID]:
    """Return turns that are due, unheld and first in their conversation.

    ``waited`` are the seconds that they have been due for at least.
    """
    earlier = Turn.objects.filter(
        conversation_id=OuterRef("conversation_id"),
        position__lt=OuterRef("position"),
        state__in=Turn.OPEN,
    )
    return list(
        Turn.objects.filter(
            Q(lease_until__isnull=True) | Q(lease_until__lte=Now()),
            ~Exists(earlier),
            state__in=Turn.OPEN,
            due_at__lte=Now() - timedelta(seconds=waited),
        )
        .order_by("due_at")
        .values_list("pk", flat=True)[:AT_ONCE]
    )
