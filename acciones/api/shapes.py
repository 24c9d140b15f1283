"""The shapes of the visitors' API, for OpenAPI."""

from typing import Any

NULL = {"type": "null"}
TEXT = {"type": "string"}
STAMP = {"type": "string", "format": "date-time"}
UUID = {"type": "string", "format": "uuid"}


def _object(properties: dict[str, Any], *, optional: tuple[str, ...] = ()) -> Any:
    return {
        "type": "object",
        "properties": properties,
        "required": [name for name in properties if name not in optional],
    }


def _or_null(shape: dict[str, Any]) -> dict[str, Any]:
    return {"oneOf": [shape, NULL]}


PROBLEM = _object(
    {
        "type": TEXT,
        "title": TEXT,
        "status": {"type": "integer"},
        "code": TEXT,
        "detail": TEXT,
        "receipt": {"type": "object"},
    },
    optional=("receipt",),
)
AMOUNT = _object(
    {
        "minor": {"type": "integer"},
        "currency": TEXT,
        "exponent": {"type": "integer"},
    }
)
RECEIPT = _object(
    {
        "run_id": UUID,
        "action": TEXT,
        "title": TEXT,
        "input": {
            "type": "array",
            "items": _object({"name": TEXT, "label": TEXT, "value": {}, "shown": TEXT}),
        },
        "target": _object({"kind": TEXT, "ref": TEXT}),
        "amount": _or_null(AMOUNT),
        "evidence": {
            "type": "array",
            "items": _object(
                {
                    "kind": TEXT,
                    "source": TEXT,
                    "reference": TEXT,
                    "title": TEXT,
                    "quote": TEXT,
                }
            ),
        },
        "digest_short": TEXT,
        "digest": TEXT,
        "approval": {"enum": ["owner", "none"]},
        "state": TEXT,
        "word": TEXT,
        "final": {"type": "boolean"},
        "rehearsal": {"type": "boolean"},
        "certain": {"type": ["boolean", "null"]},
        "reason": _or_null(TEXT),
        "message": TEXT,
        "reference": TEXT,
        "card": _or_null({"type": "object"}),
        "effect": _or_null({"enum": ["claimed", "verified"]}),
        "created": STAMP,
        "expires_at": STAMP,
        "confirmed_at": _or_null(STAMP),
        "decided_at": _or_null(STAMP),
        "finished_at": _or_null(STAMP),
        "confirmation": _or_null(_object({"token": TEXT, "expires_at": STAMP})),
    }
)
RECEIPTS = _object({"runs": {"type": "array", "items": RECEIPT}})
CONFIRM = {"application/json": _object({"token": TEXT})}
EMPTY = {"application/json": _object({})}
SESSION_REQUEST = {
    "application/json": _object(
        {"sitio": TEXT, "identity": TEXT, "bearer": {"type": "boolean"}},
        optional=("identity", "bearer"),
    )
}
SESSION = _object(
    {
        "visitor": UUID,
        "customer": _or_null(_object({"id": TEXT, "name": TEXT})),
        "conversation": _or_null(UUID),
        "token": TEXT,
    },
    optional=("token",),
)
