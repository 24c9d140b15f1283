"""Verify: read a finished change back, so that "done" is more than a claim."""

from uuid import UUID

from acciones import events
from acciones.models import Run

from .ask import ask
from .load import load


def verify(run_id: UUID | str) -> bool:
    """Ask the status lookup about a done run; mark it ``verified`` if it agrees.

    A lookup that is silent or disagrees changes nothing: the claim stays a claim.
    """
    run = load(run_id)
    if run.state != Run.State.DONE or run.effect != Run.Effect.CLAIMED:
        return False
    known = ask(run)
    if known is None or known.verdict != "done":
        return False
    row = events.transition(
        run.pk,
        sources=[Run.State.DONE],
        where="AND effect = 'claimed'",
        sets={"effect": "'verified'"},
        type="run.status",
        payload={"status": Run.State.DONE, "effect": str(Run.Effect.VERIFIED)},
    )
    return row is not None
