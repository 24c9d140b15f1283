"""Says finished messages: one row and one event, in the caller's transaction."""

from typing import Any

from django.utils.translation import gettext_noop

from acciones import events

from .models import Message, Turn
from .queue import TABLE

PROPOSED_ANEW = gettext_noop(
    "Preparé la propuesta «{title}» con lo que elegiste. Revísala y, si estás de "
    "acuerdo, confírmala en la tarjeta."
)


def say(
    turn: Turn,
    text: str,
    *,
    author: Message.Author = Message.Author.AGENT,
    attempt: int = 0,
    sources: list[dict[str, Any]] | None = None,
) -> Message:
    """Store a message of this turn and tell it."""
    message = Message.objects.create(
        conversation_id=turn.conversation_id,
        turn=turn,
        author=author,
        text=text,
        attempt=attempt,
        sources=sources or [],
    )
    events.append(
        TABLE,
        turn.id,
        type="message.completed",
        payload={
            "message_id": str(message.id),
            "text": text,
            "attempt": attempt,
            "sources": message.sources,
        },
    )
    return message


def as_application(turn: Turn, text: str) -> Message:
    """Say what the application itself knows; no model wrote a word of it."""
    return say(turn, text, author=Message.Author.APPLICATION)
