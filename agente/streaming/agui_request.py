"""The body of ``POST /api/ag-ui/{site}``: AG-UI's ``RunAgentInput``, as Maya reads it.

A client sends its whole history each time; only the last message is news. Its state,
context and tools are its own: the agent uses the site's tools and no others.
"""

from dataclasses import dataclass
from uuid import UUID, uuid5

from ag_ui.core import RunAgentInput, TextPart, UserMessage
from pydantic import ValidationError

from acciones.errors import BadInput
from acciones.models import Conversation, Visitor
from maya.lib import canonical

from .request import BadJSON

MOST_BYTES = 512 * 1024
"""Of a whole history, which Maya knows already."""
MOST_THREAD = 128


@dataclass(frozen=True, slots=True)
class Asked:
    """A run that a client wants: what is new of its thread."""

    thread_id: str
    run_id: str
    text: str


def parse(raw: bytes) -> Asked:
    """Return what a body asks; raises ``BadJSON`` or ``BadInput``."""
    try:
        body = RunAgentInput.model_validate(canonical.strict_loads(raw))
    except canonical.NotJSON as error:
        raise BadJSON from error
    except ValidationError as error:
        raise BadInput("El cuerpo debe ser un RunAgentInput de AG-UI 1.0.") from error
    if not 0 < len(body.thread_id) <= MOST_THREAD:
        raise BadInput("«threadId» debe tener entre 1 y 128 caracteres.")
    if body.resume:
        raise BadInput("Aquí nada se reanuda: una propuesta se confirma en su recibo.")
    said = body.messages[-1] if body.messages else None
    if not isinstance(said, UserMessage):
        raise BadInput("El último mensaje debe ser del usuario.")
    return Asked(body.thread_id, body.run_id, _text(said))


def conversation_of(visitor: Visitor, thread_id: str) -> UUID:
    """Return the visitor's conversation of a thread; a new thread begins one.

    A thread is named by its client. The name counts inside its visitor alone, so that
    no name, not even the id of somebody else's conversation, leads anywhere else.
    """
    known = _uuid(thread_id)
    if known and Conversation.objects.filter(pk=known, visitor=visitor).exists():
        return known
    found, _ = Conversation.objects.get_or_create(
        pk=uuid5(visitor.pk, thread_id),
        defaults={"site_id": visitor.site_id, "visitor": visitor},
    )
    return found.pk


def _text(said: UserMessage) -> str:
    if isinstance(said.content, str):
        return said.content
    texts = [part.text for part in said.content if isinstance(part, TextPart)]
    if len(texts) != len(said.content):
        raise BadInput("Un mensaje aquí es texto y nada más.")
    return "\n".join(texts)


def _uuid(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None
