"""Reads lookup evidence again, exactly as it was read the first time."""

from dataclasses import replace

from maya.lib.rows import in_thread

from . import fingerprint as prints
from .errors import MayaError
from .executors import lookup
from .models import Action, Conversation, Evidence
from .readers import FOUND, UNKNOWN, Reading


async def read_again(evidence: Evidence) -> Reading:
    """Ask the same lookup the same question; failure to ask proves nothing."""
    found = await in_thread(_rows, evidence)
    if found is None:
        return Reading(UNKNOWN, detail="lookup is gone")
    action, conversation = found
    try:
        reading = await lookup.read(action, evidence.query["arguments"], conversation)
    except MayaError as error:
        return Reading(UNKNOWN, detail=error.code)
    if reading.status != FOUND:
        return reading
    values = prints.observed(reading.data, action.fingerprint_paths)
    return replace(reading, fingerprint=prints.fingerprint(values))


def _rows(evidence: Evidence) -> tuple[Action, Conversation] | None:
    conversation = Conversation.objects.select_related("site", "visitor__customer").get(
        pk=evidence.conversation_id
    )
    action = (
        Action.objects.select_related("connection")
        .filter(
            site=conversation.site,
            kind=Action.Kind.LOOKUP,
            name=evidence.query.get("action", ""),
            enabled=True,
        )
        .first()
    )
    return (action, conversation) if action else None
