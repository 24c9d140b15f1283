"""``lookup_*``: asks the owner's systems; what comes back is evidence."""

from collections.abc import Coroutine
from typing import Any

from django.utils.translation import gettext

from acciones import inputs
from acciones.errors import MayaError
from acciones.executors import lookup
from acciones.models import Action, Conversation
from acciones.readers import FOUND, NOT_FOUND, UNKNOWN, Reading
from acciones.steps.observe import observe
from maya.lib.rows import in_thread

from .canned import CANNED, canned
from .tool import Context, Result, Tool, refused

REFUSED = "refused"
UNKNOWN_NOTE = (
    "No se pudo consultar. No se sabe si existe ni cómo está: no lo des por hecho."
)


def tool(action: Action, conversation: Conversation) -> Tool:
    """Return the tool of one lookup for this conversation's visitor."""

    def fetch(context: Context) -> Coroutine[Any, Any, Reading]:
        return _read(action, context.call.arguments, context.conversation)

    def store(context: Context, reading: Reading) -> Result:
        return _keep(action, context, reading)

    return Tool(
        name=action.tool_name,
        description=action.description,
        schema=inputs.model_schema(action),
        told=action.name,
        fetch=fetch,
        store=store,
        bound=_session(action, conversation),
    )


def _session(action: Action, conversation: Conversation) -> dict[str, Any]:
    customer = conversation.visitor.customer
    return inputs.bound(action, customer) if customer else {}


async def _read(
    action: Action, arguments: dict[str, Any], conversation: Conversation
) -> Reading:
    try:
        if conversation.rehearsal:
            given = await in_thread(canned, action, arguments, conversation)
            if given is not None:
                return given
        return await lookup.read(action, arguments, conversation)
    except MayaError as error:
        return Reading(REFUSED, {"code": error.code, "note": error.detail})


def _keep(action: Action, context: Context, reading: Reading) -> Result:
    if reading.status == REFUSED:
        return refused(reading.data["code"], reading.data["note"])
    if reading.status == UNKNOWN:
        return Result({"status": UNKNOWN, "note": UNKNOWN_NOTE}, ok=False)
    if reading.status == NOT_FOUND:
        return Result({"status": NOT_FOUND})
    evidence = observe(
        conversation=context.conversation,
        turn_id=context.turn.pk,
        action=action,
        arguments=context.call.arguments,
        reading=reading,
        title=_title(action, reading),
    )
    return Result(
        {
            "status": FOUND,
            "reference": evidence.reference,
            "data": reading.data,
        },
        evidence=evidence,
    )


def _title(action: Action, reading: Reading) -> str:
    if reading.detail != CANNED:
        return action.title
    return gettext("%(title)s (respuesta de ejemplo)") % {"title": action.title}
