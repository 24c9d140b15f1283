"""Canned answers: what a rehearsal's lookups say when they are not to ask."""

from typing import Any

from acciones import inputs
from acciones.errors import SignInRequired
from acciones.models import Action, Conversation
from acciones.readers import UNKNOWN, Reading
from agente.models import Rehearsal

CANNED = "canned"


def canned(
    action: Action, arguments: dict[str, Any], conversation: Conversation
) -> Reading | None:
    """Return the answer to give instead of asking; None where one really asks.

    Refuses what a real lookup would refuse before it asked.
    """
    answers = (
        Rehearsal.objects.filter(conversation=conversation)
        .values_list("canned", flat=True)
        .first()
    )
    if answers is None:
        return None
    inputs.validated(action, arguments)
    inputs.bound(action, conversation.visitor.customer)
    if action.requires_customer and conversation.visitor.customer is None:
        raise SignInRequired
    answer = answers.get(action.name)
    if answer is None:
        return Reading(UNKNOWN, detail=CANNED)
    return Reading(answer["status"], answer.get("data", {}), detail=CANNED)
