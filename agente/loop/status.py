"""Tells where a turn stands, and ends it: the row and its event in one statement."""

from typing import Any

from acciones import events
from acciones.errors import SignInRequired
from agente.models import ToolCall, Turn
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
    """End an open turn, and wake the next of its conversation; say whether it moved.

    A turn that was answered but for a signed-in customer says so as its reason.
    """
    if state == Turn.State.DONE and not reason and _lacked_customer(turn):
        reason = SignInRequired.code
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


def _lacked_customer(turn: Turn) -> bool:
    refused = ToolCall.State.FAILED
    return turn.calls.filter(state=refused, result__code=SignInRequired.code).exists()
