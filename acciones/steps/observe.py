"""Observe: keep a read result as evidence that can be read again."""

from typing import Any
from uuid import UUID

from acciones import fingerprint as prints
from acciones import inputs
from acciones.models import Action, Conversation, Evidence
from acciones.readers import Reading
from maya.lib import canonical

QUOTE_LENGTH = 2000


def observe(
    *,
    conversation: Conversation,
    turn_id: UUID | None,
    action: Action,
    arguments: dict[str, Any],
    reading: Reading,
    title: str = "",
) -> Evidence:
    """Store what a lookup found: ``order:4821``, its values and their fingerprint.

    ``title`` is what people read above it, the action's where none is given.
    """
    values = prints.observed(reading.data, action.fingerprint_paths)
    kind, reference = inputs.target(action, arguments)
    return Evidence.objects.create(
        conversation=conversation,
        turn_id=turn_id,
        kind="lookup",
        source=action.name,
        reference=f"{kind}:{reference}" if reference else action.name,
        title=title or action.title,
        quote=canonical.compact(values).decode()[:QUOTE_LENGTH],
        observed=values,
        fingerprint=prints.fingerprint(values),
        query={"action": action.name, "arguments": arguments},
    )
