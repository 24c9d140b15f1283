"""The closed vocabulary of events: one JSON Schema for each type's payload.

``docs/events.md`` is generated from this table (``manage.py describe_events``), and
``/api/schema`` carries it.
"""

from functools import cache
from typing import Any

from jsonschema import Draft202012Validator

VERSION = 1

TEXT = {"type": "string"}
NULLABLE = {"type": ["string", "null"]}
OBJECT = {"type": "object"}
LIST = {"type": "array"}


def _payload(what: str, required: dict[str, Any], **optional: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "description": what,
        "properties": {**required, **optional},
        "required": list(required),
        "additionalProperties": False,
    }


PAYLOADS: dict[str, dict[str, Any]] = {
    "message.received": _payload(
        "A customer's message was stored.",
        {"message_id": TEXT, "text": TEXT, "author": TEXT},
    ),
    "run.status": _payload(
        "A turn or a run is now in this state.",
        {"status": TEXT},
        agent=TEXT,
        reason=TEXT,
        certain={"type": ["boolean", "null"]},
        message=TEXT,
        reference=TEXT,
        card={"type": ["object", "null"]},
        effect=TEXT,
        approvals={"type": "integer"},
        quorum={"type": "integer"},
        attempt={"type": "integer"},
        replaced_by=TEXT,
    ),
    "tool.started": _payload(
        "A complete, stored call of a tool begins.",
        {"call_id": TEXT, "operation_id": TEXT, "name": TEXT, "params": OBJECT},
    ),
    "tool.completed": _payload(
        "A call has its stored result; a large one is an artifact.",
        {
            "call_id": TEXT,
            "operation_id": TEXT,
            "artifact_id": NULLABLE,
            "ok": {"type": "boolean"},
        },
    ),
    "agent.handoff": _payload(
        "One agent handed the conversation to another.",
        {"from": TEXT, "to": TEXT, "reason": TEXT},
    ),
    "surface.updated": _payload(
        "An A2UI v0.9 message for the page.", {"message": OBJECT}
    ),
    "message.completed": _payload(
        "The agent's answer, whole: the only text that counts.",
        {
            "message_id": TEXT,
            "text": TEXT,
            "attempt": {"type": "integer"},
            "sources": LIST,
        },
    ),
    "choice.recorded": _payload(
        "A choice on a surface; it confirms nothing.",
        {"surface_id": TEXT, "component_id": TEXT, "name": TEXT, "context": OBJECT},
    ),
    "action.received": _payload(
        "A button or slider of a surface was used.",
        {"surface_id": TEXT, "component_id": TEXT, "name": TEXT, "context": OBJECT},
    ),
    "proposal.created": _payload(
        "One exact change is on offer: what its card shows.",
        {
            "run_id": TEXT,
            "action": TEXT,
            "title": TEXT,
            "input": LIST,
            "target": OBJECT,
            "amount": {"type": ["object", "null"]},
            "evidence": LIST,
            "digest_short": TEXT,
            "approval": TEXT,
            "expires_at": TEXT,
        },
        surface=TEXT,
        replaces=TEXT,
    ),
    "snapshot": {
        "type": "object",
        "description": "The whole view at `cursor`, where older events are gone.",
        "properties": {"cursor": {"type": "integer"}},
        "required": ["cursor"],
    },
}


@cache
def _validator(kind: str) -> Draft202012Validator:
    return Draft202012Validator(PAYLOADS[kind])


def check(kind: str, payload: dict[str, Any]) -> None:
    """Raise ``KeyError`` for an unknown type, ``ValidationError`` for its payload."""
    _validator(kind).validate(payload)


def envelope() -> dict[str, Any]:
    """Return the JSON Schema of an event as every transport sends it."""
    return {
        "type": "object",
        "properties": {
            "id": {"type": "string", "description": "<run_id>:<seq>"},
            "run_id": {"type": "string", "format": "uuid"},
            "seq": {"type": "integer", "description": "dense per run_id, from 1"},
            "position": {
                "type": "integer",
                "description": "dense per conversation, from 1",
            },
            "type": {"enum": list(PAYLOADS)},
            "payload": {"anyOf": list(PAYLOADS.values())},
            "created": {"type": "string", "format": "date-time"},
        },
        "required": ["id", "run_id", "seq", "position", "type", "payload", "created"],
    }
