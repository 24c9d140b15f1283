"""The body of ``POST /api/agente``: a message, an action, or "what came after"."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from acciones.errors import BadInput
from maya.lib import canonical

from . import cursor

MOST_BYTES = 64 * 1024
FORMS = (
    ({"sitio", "mensajeId", "mensaje"}, {"conversacion"}),
    ({"sitio", "conversacion", "action"}, {"version"}),
    ({"sitio", "conversacion", "despues"}, set[str]()),
)


class BadJSON(BadInput):
    """El cuerpo no es JSON válido."""

    code = "bad_json"


@dataclass(frozen=True, slots=True)
class Said:
    """A customer's message."""

    site: str
    conversation: UUID | None
    message_id: str
    text: str


@dataclass(frozen=True, slots=True)
class Clicked:
    """A click on a surface, as the renderer tells it."""

    site: str
    conversation: UUID
    action: dict[str, Any]
    version: str | None


@dataclass(frozen=True, slots=True)
class Resumed:
    """Somebody who read up to a position and wants the rest."""

    site: str
    conversation: UUID
    after: int


Request = Said | Clicked | Resumed


def parse(raw: bytes) -> Request:
    """Return what a body asks; raises ``BadJSON``, ``BadInput`` or ``BadCursor``."""
    try:
        body = canonical.strict_loads(raw)
    except canonical.NotJSON as error:
        raise BadJSON from error
    if not isinstance(body, dict):
        raise BadInput("El cuerpo debe ser un objeto JSON.")
    if not any(needed <= body.keys() <= needed | more for needed, more in FORMS):
        raise BadInput("El cuerpo no es un mensaje, una acción ni una continuación.")
    site = _text(body, "sitio")
    if "mensaje" in body:
        conversation = _conversation(body) if "conversacion" in body else None
        message_id, text = _text(body, "mensajeId"), _text(body, "mensaje")
        return Said(site, conversation, message_id, text)
    if "despues" in body:
        return Resumed(site, _conversation(body), cursor.check(body["despues"]))
    if not isinstance(body["action"], dict):
        raise BadInput("«action» debe ser un objeto.")
    version = _text(body, "version") if "version" in body else None
    return Clicked(site, _conversation(body), body["action"], version)


def _text(body: dict[str, Any], name: str) -> str:
    value = body[name]
    if not isinstance(value, str):
        raise BadInput(f"«{name}» debe ser un texto.")
    return value


def _conversation(body: dict[str, Any]) -> UUID:
    try:
        return UUID(_text(body, "conversacion"))
    except ValueError:
        raise BadInput("«conversacion» debe ser un UUID.") from None
