"""The closed vocabulary of events: one JSON Schema for each type's payload.

``docs/events.md`` is generated from this table (``manage.py describe_events``).
"""

from functools import cache
from typing import Any

from jsonschema import Draft202012Validator

VERSION = 1

TEXT = {"type": "string"}
NULLABLE = {"type": ["string", "null"]}
OBJECT = {"type": "object"}
LIST = {"type": "array"}


def _payload(required: dict[str, Any], **optional: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {**required, **optional},
        "required": list(required),
        "additionalProperties": False,
    }


PAYLOADS: dict[str, dict[str, Any]] = {
    "message.received": _payload({"message_id": TEXT, "text": TEXT, "author": TEXT}),
    "run.status": _payload(
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
        {"call_id": TEXT, "operation_id": TEXT, "name": TEXT, "params": OBJECT}
    ),
    "tool.completed": _payload(
        {
            "call_id": TEXT,
            "operation_id": TEXT,
            "artifact_id": NULLABLE,
            "ok": {"type": "boolean"},
        }
    ),
    "agent.handoff": _payload({"from": TEXT, "to": TEXT, "reason": TEXT}),
    "surface.updated": _payload({"message": OBJECT}),
    "message.completed": _payload(
        {
            "message_id": TEXT,
            "text": TEXT,
            "attempt": {"type": "integer"},
            "sources": LIST,
        }
    ),
    "choice.recorded": _payload(
        {"surface_id": TEXT, "component_id": TEXT, "name": TEXT, "context": OBJECT}
    ),
    "action.received": _payload(
        {"surface_id": TEXT, "component_id": TEXT, "name": TEXT, "context": OBJECT}
    ),
    "proposal.created": _payload(
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
    "snapshot": _payload({"position": {"type": "integer"}, "view": OBJECT}),
}


@cache
def _validator(kind: str) -> Draft202012Validator:
    return Draft202012Validator(PAYLOADS[kind])


def check(kind: str, payload: dict[str, Any]) -> None:
    """Raise ``KeyError`` for an unknown type, ``ValidationError`` for its payload."""
    _validator(kind).validate(payload)
