"""Tells where a turn stands, and ends it: the row and its event in one statement."""

from typing import Any

from acciones import events
from agente.models import Turn
from agente.queue import TABLE
from maya.lib import wake

OPEN = [state.value for state in Turn.OPEN]


def tell(turn: Turn, state: Turn.State, *, agent: str = "") -> None:
    """Move an open turn to another of its phases; the same phase is told once."""
    if turn.state == state:
        return
    payload: dict[str, Any] = {"status": state.value}
    if agent:
        payload["agent"] = agent
    events.advance(
        TABLE, turn.pk, to=state, sources=OPEN, type="run.status", payload=payload
    )
    turn.state = state


def end(turn: Turn, state: Turn.State, *, reason: str = "") -> bool:
    """End an open turn, and wake the next of its conversation; say whether it moved."""
    payload = {"status": state.value} | ({"reason": reason} if reason else {})
    row = events.advance(
        TABLE,
        turn.pk,
        to=state,
        sources=OPEN,
        sets={
            "finished_at": "clock_timestamp()",
            "lease_until": "NULL",
            "reason": "%(reason)s",
        },
        params={"reason": reason},
        type="run.status",
        payload=payload,
    )
    if row is None:
        return False
    turn.state = state
    wake.drop_draft(turn.pk)
    following = (
        Turn.objects.filter(conversation_id=turn.conversation_id, state__in=OPEN)
        .order_by("position")
        .first()
    )
    if following is not None:
        wake.task("agente.run_turn", str(following.pk))
    return True
