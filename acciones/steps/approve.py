"""Approve: one member's yes; the last one needed queues the run."""

from uuid import UUID

from acciones.models import Decision, Member, Run
from maya.lib import wake

from .decide import decide


def approve(
    run_id: UUID | str, *, member: Member, surface: str, digest: str, reason: str = ""
) -> Run:
    """Approve exactly the content with this digest; see ``decide`` for refusals."""
    run = decide(
        run_id,
        member=member,
        verdict=Decision.Verdict.APPROVE,
        surface=surface,
        digest=digest,
        reason=reason,
        sets={
            "approvals": "approvals + 1",
            "state": "CASE WHEN approvals + 1 >= quorum THEN 'queued' ELSE state END",
            "due_at": "CASE WHEN approvals + 1 >= quorum "
            "THEN clock_timestamp() ELSE due_at END",
            "decided_at": "CASE WHEN approvals + 1 >= quorum "
            "THEN clock_timestamp() ELSE decided_at END",
        },
        payload={"status": Run.State.AWAITING_OWNER},
        payload_more="jsonb_build_object('status', moved.state, "
        "'approvals', moved.approvals, 'quorum', moved.quorum)",
    )
    if run.state == Run.State.QUEUED:
        wake.task("acciones.dispatch", str(run.pk))
    return run
