"""Reoffer: the same change as a new proposal, on the world as it is read now.

A run is never run again: what failed or lapsed stays what it was, and the customer
has to confirm the new proposal.
"""

import asyncio
from collections.abc import Sequence
from uuid import UUID

from acciones.errors import EvidenceMissing, WrongState
from acciones.models import Evidence, Run
from acciones.readers import FOUND, Reading, read_again
from maya.lib import background

from .load import load
from .observe import observe
from .propose import propose

LOOKUP = "lookup"
OVER = (Run.State.FAILED, Run.State.EXPIRED)

Pairs = Sequence[tuple[Evidence, Reading]]


def reoffer(run_id: UUID | str) -> Run:
    """Propose again, in the same conversation, what a failed or expired run was for.

    Raises ``WrongState``, ``EvidenceMissing`` where the world could not be read or a
    rule has changed, and whatever ``propose`` raises. Nothing is sent but the reads.
    """
    run = load(run_id)
    if run.state not in OVER:
        raise WrongState("Solo se ofrece de nuevo lo que falló o caducó.")
    evidence = list(run.proposal.evidence.all())
    readings = background.run(_read_all(evidence))
    pairs = list(zip(evidence, readings, strict=True))
    if not all(stands(*pair) for pair in pairs):
        raise EvidenceMissing("No se pudieron leer de nuevo las pruebas.")
    return offer_afresh(run, pairs, surface="reoffer")


async def _read_all(evidence: Sequence[Evidence]) -> list[Reading]:
    return await asyncio.gather(*(read_again(item) for item in evidence))


def stands(item: Evidence, reading: Reading) -> bool:
    """Say whether a new offer can rest on this: records move, rules are read anew.

    A rule that changed may now forbid what it allowed; the agent has to read it.
    """
    is_same = reading.fingerprint == item.fingerprint
    return reading.status == FOUND and (is_same or item.kind == LOOKUP)


def offer_afresh(run: Run, pairs: Pairs, *, surface: str) -> Run:
    """Offer the same change on the world as it is now; the customer decides anew."""
    arguments = {
        name: value
        for name, value in run.proposal.input.items()
        if name not in run.action.bindings
    }
    return propose(
        conversation=run.conversation,
        action=run.action,
        arguments=arguments,
        evidence=[_as_read_now(run, *pair) for pair in pairs],
        surface=surface,
    )


def _as_read_now(run: Run, item: Evidence, reading: Reading) -> Evidence:
    if item.kind != LOOKUP:
        return item
    action = run.site.action_set.select_related("connection").get(
        kind=LOOKUP, name=item.query["action"]
    )
    return observe(
        conversation=run.conversation,
        turn_id=None,
        action=action,
        arguments=item.query["arguments"],
        reading=reading,
    )
