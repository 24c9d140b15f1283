"""The queue of turns: rows that a worker picks up in their conversation's order."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db.models.functions import Now

from acciones import events
from acciones.errors import MayaError, NotFound
from acciones.models import Conversation, Visitor
from maya.lib import trace, wake

from .models import Turn

TABLE = "agente_turn"


class TooManyTurns(MayaError):
    """Vas muy deprisa. Espera un minuto y vuelve a intentarlo."""

    code, status = "too_many_turns", 429


@dataclass(frozen=True)
class StartedTurn:
    """A turn to follow: read its conversation's events after ``position``.

    ``replay`` is set for a repeated click only: the stored envelopes of the finished
    turn, to be sent again as they were, with nothing to wait for.
    """

    conversation_id: UUID
    turn_id: UUID
    position: int
    replay: list[dict[str, Any]] | None = None


def open_conversation(visitor: Visitor, conversation_id: UUID | None) -> Conversation:
    """Lock the visitor's conversation, or begin one; raises ``NotFound``."""
    if conversation_id is None:
        made = Conversation.objects.create(site_id=visitor.site_id, visitor=visitor)
        conversation_id = made.id
    conversation = (
        Conversation.objects.select_for_update()
        .filter(id=conversation_id, visitor=visitor, closed__isnull=True)
        .first()
    )
    if conversation is None:
        raise NotFound
    return conversation


def create_turn(
    conversation: Conversation, kind: Turn.Kind, given: dict[str, Any]
) -> Turn:
    """Create a queued turn at the end of a locked conversation.

    Raises ``TooManyTurns`` (429) for a visitor who asks faster than people do.
    """
    if kind != Turn.Kind.OUTCOME:
        _bound(conversation)
    return Turn.objects.create(
        conversation=conversation,
        kind=kind,
        input=given,
        state=Turn.State.QUEUED,
        position=conversation.position,
        trace=trace.carrier(),
    )


def _bound(conversation: Conversation) -> None:
    asked = Turn.objects.filter(
        conversation__visitor=conversation.visitor_id,
        created__gt=Now() - timedelta(minutes=1),
    ).exclude(kind=Turn.Kind.OUTCOME)
    if asked.count() >= settings.MAYA_TURNS_PER_MINUTE:
        raise TooManyTurns


def enqueue(turn: Turn) -> StartedTurn:
    """Tell that the agent thinks, and wake a worker after commit."""
    events.append(
        TABLE, turn.id, type="run.status", payload={"status": Turn.State.THINKING.value}
    )
    wake.task("agente.run_turn", str(turn.id))
    return StartedTurn(turn.conversation_id, turn.id, turn.position)


def finish(turn: Turn) -> StartedTurn:
    """End a turn that needs no agent, in the transaction that made it."""
    events.advance(
        TABLE,
        turn.id,
        to=Turn.State.DONE,
        sources=[Turn.State.QUEUED],
        sets={"finished_at": "clock_timestamp()"},
        type="run.status",
        payload={"status": Turn.State.DONE.value},
    )
    return StartedTurn(turn.conversation_id, turn.id, turn.position)
