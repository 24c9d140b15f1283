"""The lines of ``POST /api/agente``: the seed's own, and ours beside them.

The keys of the seed come first and in its order; each durable line then says where in
the log it stands, so that a client can tell repetitions and resume.
"""

from collections.abc import Callable, Mapping
from typing import Any

from maya.lib import canonical

from .drafts import Delta

Envelope = Mapping[str, Any]

STATUS = {
    "thinking": "pensando",
    "using_tool": "usando_herramienta",
    "answering": "respondiendo",
    "done": "listo",
    "failed": "fallido",
    "stopped": "detenido",
}
END = b'{"tipo":"fin"}\n'


def of_event(conversation_id: str, event: Envelope) -> bytes:
    """Return an event's line; nothing for an event that the seed does not tell."""
    told = TOLD.get(event["type"])
    if told is None:
        return b""
    line = {
        **told(event["payload"]),
        "id": event["id"],
        "run_id": event["run_id"],
        "seq": event["seq"],
        "position": event["position"],
        "conversacion": conversation_id,
    }
    return canonical.compact(line) + b"\n"


def of_delta(delta: Delta) -> bytes:
    """Return a provisional line: a piece of the text that is being written."""
    line = {
        "tipo": "delta",
        "turno": delta.run_id,
        "intento": delta.attempt,
        "desde": delta.offset,
        "texto": delta.text,
    }
    return canonical.compact(line) + b"\n"


def of_error(code: str, detail: str) -> bytes:
    """Return the line that says why the rest does not come."""
    return canonical.compact({"tipo": "error", "code": code, "detail": detail}) + b"\n"


TOLD: dict[str, Callable[[Envelope], dict[str, Any]]] = {
    "run.status": lambda payload: {
        "tipo": "estado",
        "valor": STATUS.get(payload["status"], payload["status"]),
    },
    "tool.started": lambda payload: {
        "tipo": "tool",
        "nombre": payload["name"],
        "params": payload["params"],
    },
    "surface.updated": lambda payload: {"tipo": "a2ui", "payload": payload["message"]},
    "message.completed": lambda payload: {"tipo": "razon", "texto": payload["text"]},
    "proposal.created": lambda payload: {"tipo": "propuesta", "propuesta": payload},
    "snapshot": lambda payload: {"tipo": "snapshot", "payload": payload},
}
