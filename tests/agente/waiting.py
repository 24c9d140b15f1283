"""Turns that wait for a worker, and what their rows say."""

from django.utils import timezone

from agente.models import Turn
from agente.turns import start_message

from .talk import Talk


def ask(talk: Talk, text: str = "hola") -> Turn:
    """Send a message that nobody answers yet."""
    started = start_message(
        visitor=talk.visitor,
        conversation_id=talk.begun,
        message_id=f"m-{timezone.now().timestamp()}",
        text=text,
    )
    talk.begun = started.conversation_id
    talk.started.append(started)
    return talk.turn


def lose_lease(turn: Turn) -> None:
    """Let a dead worker's lease run out, by the row."""
    Turn.objects.filter(pk=turn.pk).update(
        lease_until=timezone.now(), due_at=timezone.now()
    )


def attempts(turn: Turn) -> list[tuple[int, str, str]]:
    """Return number, state and diagnosis of a turn's attempts."""
    rows = turn.attempts.order_by("number")
    return [(row.number, row.state, row.diagnosis) for row in rows]
