"""Expire: an offer or a decision that nobody took in time."""

from uuid import UUID

from acciones import events
from acciones.models import Run


def expire(run_id: UUID | str) -> bool:
    """Move a waiting run whose time is over to ``expired``; say whether it moved."""
    row = events.transition(
        run_id,
        to=Run.State.EXPIRED,
        sources=[Run.State.REQUESTED, Run.State.AWAITING_OWNER],
        where="AND expires_at <= clock_timestamp()",
        sets={"finished_at": "clock_timestamp()"},
        type="run.status",
        payload={"status": Run.State.EXPIRED},
    )
    return row is not None
