"""Recover: runs whose worker died; a lost lease proves nothing."""

from uuid import UUID

from django.db.models.functions import Now

from acciones import events
from acciones.executors.answer import Outcome
from acciones.models import Attempt, Run

from . import settle

LOST = Outcome("uncertain", detail="lease lost")
IF_MOVED = "AND EXISTS (SELECT FROM moved)"
EXPIRED_LEASE = "AND lease_until <= clock_timestamp()"


def abandoned() -> list[UUID]:
    """Return running runs whose lease is over by the database's clock."""
    return list(
        Run.objects.filter(state=Run.State.RUNNING, lease_until__lte=Now())
        .order_by("lease_until")
        .values_list("pk", flat=True)[:500]
    )


def recover(run_id: UUID | str) -> None:
    """Put an abandoned run back: unknown if an attempt may have left, else queued."""
    run = Run.objects.get(pk=run_id)
    sent = Attempt.objects.filter(run=run, number=run.attempts).first()
    if sent is None or sent.verdict:
        _requeue(run)
        return
    lost = settle.closing(run.pk, run.attempts, LOST, {}, only_if=IF_MOVED)
    where = f"{EXPIRED_LEASE} AND attempts = %(number)s"
    if run.attempts >= settle.MAXIMUM_ATTEMPTS or not _may_repeat(run):
        settle.fail(run.pk, reason="exhausted", certain=False, where=where, **lost)
    else:
        settle.doubt(run.pk, run.attempts, where=where, **lost)


def _may_repeat(run: Run) -> bool:
    """Say whether the other side can tell a repetition from a new request."""
    return not run.action.is_mcp or bool(run.action.key_place)


def _requeue(run: Run) -> None:
    """No attempt was on its way: take the run up where it was, at once."""
    events.transition(
        run.pk,
        sources=[Run.State.RUNNING],
        where=EXPIRED_LEASE,
        sets={
            "state": "CASE WHEN attempts > 0 THEN 'unknown' ELSE 'queued' END",
            "due_at": "clock_timestamp()",
            "lease_until": "NULL",
        },
        type="run.status",
        payload={"status": Run.State.QUEUED},
        payload_more="jsonb_build_object('status', moved.state)",
    )
