"""Claim: take the next due delivery of a lane for a while, or find nothing to take."""

from datetime import datetime
from typing import NamedTuple

from django.db import IntegrityError, connection, transaction
from django.db.models.functions import Now

from canales.models import Delivery, DeliveryTry

LEASE_SECONDS = 60

# The intent of the try is stored with the claim, before a byte leaves
CLAIM = """
WITH next AS (
    SELECT id FROM canales_delivery
    WHERE lane = %(lane)s AND state = 'waiting' AND due_at <= clock_timestamp()
    ORDER BY due_at, id LIMIT 1 FOR UPDATE SKIP LOCKED
), taken AS (
    UPDATE canales_delivery SET state = 'sending', attempts = attempts + 1,
        lease_until = clock_timestamp() + make_interval(secs => %(lease)s)
    FROM next WHERE canales_delivery.id = next.id
    RETURNING canales_delivery.*
), tried AS (
    INSERT INTO canales_deliverytry
        (delivery_id, number, started, verdict, detail)
    SELECT id, attempts, clock_timestamp(), '', '' FROM taken
)
SELECT id, alert_id, purpose, attempts, lease_until FROM taken
"""


class Claimed(NamedTuple):
    """A delivery that is ours until ``held``."""

    id: int
    alert_id: int
    purpose: str
    attempts: int
    held: datetime


def claim(lane: str) -> Claimed | None:
    """Take a lane's next due delivery; None when there is none, or one is on its way.

    The lane's unique index makes the second of two simultaneous claims fail.
    """
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(CLAIM, {"lane": lane, "lease": LEASE_SECONDS})
            row = cursor.fetchone()
    except IntegrityError as error:
        if "delivery_one_in_a_lane" not in str(error):
            raise
        return None
    return Claimed(*row) if row else None


def due_lanes(*, without: str = "") -> list[str]:
    """Return the lanes with something due; those beginning with ``without`` rest."""
    due = Delivery.objects.filter(state=Delivery.State.WAITING, due_at__lte=Now())
    if without:
        due = due.exclude(lane__startswith=without)
    return list(due.order_by("lane").values_list("lane", flat=True).distinct()[:200])


def recover() -> None:
    """Give up on deliveries whose worker died in the middle.

    A send may or may not have arrived: it ends ``unknown`` and is not repeated. An
    edit is simply due again.
    """
    lost = Delivery.objects.filter(
        state=Delivery.State.SENDING, lease_until__lt=Now()
    ).values_list("pk", flat=True)
    with transaction.atomic():
        ids = list(lost.select_for_update(skip_locked=True)[:200])
        DeliveryTry.objects.filter(delivery__in=ids, verdict="").update(
            verdict="lost", finished=Now()
        )
        ours = Delivery.objects.filter(pk__in=ids)
        ours.filter(purpose=Delivery.Purpose.SEND).update(
            state=Delivery.State.UNKNOWN, lease_until=None, finished_at=Now()
        )
        edits = ours.filter(purpose=Delivery.Purpose.EDIT)
        # An edit that waits already says all that the lost one would have said
        edits.filter(alert__in=_with_waiting_edit(ids)).update(
            state=Delivery.State.DROPPED, lease_until=None, finished_at=Now()
        )
        edits.filter(state=Delivery.State.SENDING).update(
            state=Delivery.State.WAITING, lease_until=None, due_at=Now()
        )


def _with_waiting_edit(ids: list[int]) -> list[int]:
    alerts = Delivery.objects.filter(pk__in=ids).values("alert")
    return list(
        Delivery.objects.filter(
            alert__in=alerts,
            purpose=Delivery.Purpose.EDIT,
            state=Delivery.State.WAITING,
        ).values_list("alert_id", flat=True)
    )
