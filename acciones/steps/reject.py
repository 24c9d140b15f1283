"""Reject: one member's no ends it; nothing leaves."""

from uuid import UUID

from acciones.models import Decision, Member, Run

from .decide import decide


def reject(
    run_id: UUID | str, *, member: Member, surface: str, digest: str, reason: str = ""
) -> Run:
    """Reject exactly the content with this digest; see ``decide`` for refusals.

    The reason stays with the site's members: the customer learns only the outcome.
    """
    return decide(
        run_id,
        member=member,
        verdict=Decision.Verdict.REJECT,
        surface=surface,
        digest=digest,
        reason=reason,
        to=Run.State.REJECTED,
        sets={
            "finished_at": "clock_timestamp()",
            "decided_at": "clock_timestamp()",
        },
        payload={"status": Run.State.REJECTED},
    )
