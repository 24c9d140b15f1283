"""Claim: take a due run for a while, or find that there is nothing to take."""

from typing import Any
from uuid import UUID

from django.conf import settings

from acciones import events
from acciones.models import Run

LEASE = "clock_timestamp() + make_interval(secs => %(lease)s)"

ATTEMPT = """
INSERT INTO acciones_attempt
    (run_id, number, digest, started, sent_headers, answer, verdict, detail)
SELECT id, attempts, digest, clock_timestamp(), '{}', '', '', '' FROM moved
"""


def claim(run_id: UUID | str) -> dict[str, Any] | None:
    """Take a queued or unknown run that is due; a task that comes twice gets None."""
    return events.transition(
        run_id,
        to=Run.State.RUNNING,
        sources=[Run.State.QUEUED, Run.State.UNKNOWN],
        where="AND due_at <= clock_timestamp()",
        sets={"lease_until": LEASE, "due_at": "NULL"},
        params={"lease": settings.MAYA_LEASE_SECONDS},
        type="run.status",
        payload={"status": Run.State.RUNNING},
    )


def begin(row: dict[str, Any]) -> dict[str, Any] | None:
    """Store the intent of one attempt before a byte leaves; extends the lease.

    The lease that was claimed is the fence: who lost it finds None and sends nothing.
    """
    return events.transition(
        row["id"],
        sources=[Run.State.RUNNING],
        where="AND lease_until = %(held)s AND attempts < 3",
        sets={"attempts": "attempts + 1", "lease_until": LEASE},
        params={"lease": settings.MAYA_LEASE_SECONDS, "held": row["lease_until"]},
        also={"attempt": ATTEMPT},
        type="run.status",
        payload={"status": Run.State.RUNNING},
        payload_more="jsonb_build_object('attempt', moved.attempts)",
    )
