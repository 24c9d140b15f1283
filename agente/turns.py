"""Starts turns: one transaction stores what was said, its turn and its first events.

Whoever calls reads the turn's events after ``position`` of the conversation. A worker
(``agente.run_turn``) writes them; nothing of the agent runs in the caller.
"""

from typing import Any
from uuid import UUID

from django.db import IntegrityError, transaction

from acciones import events
from acciones.errors import BadInput, MayaError
from acciones.models import Conversation, Visitor
from maya.lib import trace

from .models import Message, Turn
from .queue import TABLE, StartedTurn, create_turn, enqueue, open_conversation
from .surfaces import click

MAXIMUM_TEXT = 8_000
"""Characters of one message: more is a document, not a message."""
MAXIMUM_CLIENT_ID = 128


class MessageReused(MayaError):
    """Ese identificador de mensaje ya se usó con otro texto."""

    code, status = "message_id_reused", 422


def start_message(
    *, visitor: Visitor, conversation_id: UUID | None, message_id: str, text: str
) -> StartedTurn:
    """Store a customer's message and queue its answer.

    ``message_id`` is the client's ``mensajeId``: repeated, it continues the same
    turn. Without ``conversation_id`` a conversation begins. Raises ``BadInput``,
    ``NotFound`` (somebody else's conversation) or ``MessageReused`` (422).
    """
    text = text.strip()
    if not text or len(text) > MAXIMUM_TEXT:
        raise BadInput(f"El mensaje debe tener entre 1 y {MAXIMUM_TEXT} caracteres.")
    if not message_id or len(message_id) > MAXIMUM_CLIENT_ID:
        raise BadInput("«mensajeId» debe tener entre 1 y 128 caracteres.")
    if again := _again(visitor, message_id, text):
        return again
    try:
        with trace.span("message", conversation=conversation_id), transaction.atomic():
            conversation = open_conversation(visitor, conversation_id)
            return _store(visitor, conversation, message_id, text)
    except IntegrityError:
        # The same message came twice at once: the first one's turn is the turn
        if again := _again(visitor, message_id, text):
            return again
        raise


def _again(visitor: Visitor, message_id: str, text: str) -> StartedTurn | None:
    message = (
        Message.objects.filter(visitor=visitor, client_id=message_id)
        .select_related("turn")
        .first()
    )
    if message is None:
        return None
    if message.text != text:
        raise MessageReused
    turn = message.turn
    return StartedTurn(turn.conversation_id, turn.id, turn.position)


def _store(
    visitor: Visitor, conversation: Conversation, message_id: str, text: str
) -> StartedTurn:
    turn = create_turn(conversation, Turn.Kind.MESSAGE, {"text": text})
    message = Message.objects.create(
        conversation=conversation,
        visitor=visitor,
        turn=turn,
        author=Message.Author.CUSTOMER,
        client_id=message_id,
        text=text,
    )
    events.append(
        TABLE,
        turn.id,
        type="message.received",
        payload={"message_id": str(message.id), "text": text, "author": "customer"},
    )
    return enqueue(turn)


def start_action(
    *,
    visitor: Visitor,
    conversation_id: UUID,
    action: dict[str, Any],
    version: str | None = None,
) -> StartedTurn:
    """Receive a click on a generated surface; its name decides what it means.

    A change's name confirms the exact offer on screen, or makes a new proposal;
    ``elegir_*`` is a recorded choice; anything else goes to the agent. ``ver_*`` is
    local and refused here. Raises ``BadInput``, ``NotFound``, ``KeyRequired`` (400),
    ``KeyReused`` (422), ``ActionInFlight`` (409) and what the ledger refuses.
    """
    return click.receive(
        visitor=visitor,
        conversation_id=conversation_id,
        action=action,
        version=version,
    )
