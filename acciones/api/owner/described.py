"""The owner API's shapes and examples, for OpenAPI."""

from copy import deepcopy
from typing import Any

from drf_spectacular.utils import OpenApiExample, OpenApiResponse

from acciones.api.problems import MEDIA_TYPE
from acciones.api.shapes import PROBLEM, RECEIPT

from .examples import ACTION as ACTION_EXAMPLE
from .examples import PROBLEMS, TRIES
from .examples import RUN as RUN_EXAMPLE

TEXT = {"type": "string"}
STAMP = {"type": "string", "format": "date-time"}
NUMBER = {"type": "integer"}
FLAG = {"type": "boolean"}


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
    }


def _or_null(shape: dict[str, Any]) -> dict[str, Any]:
    return {"oneOf": [shape, {"type": "null"}]}


def _run() -> dict[str, Any]:
    receipt: dict[str, Any] = deepcopy(RECEIPT)
    del receipt["properties"]["confirmation"]
    decision = {
        "who": TEXT,
        "verdict": {"enum": ["approve", "reject"]},
        "surface": TEXT,
        "reason": TEXT,
        "digest": TEXT,
        "created": STAMP,
    }
    return _object(
        {
            **receipt["properties"],
            "version": NUMBER,
            "customer": _or_null(_object({"id": TEXT, "shown": TEXT, "email": TEXT})),
            "quorum": NUMBER,
            "approvals": NUMBER,
            "attempts": NUMBER,
            "may_decide": FLAG,
            "decisions": {"type": "array", "items": _object(decision)},
        }
    )


def _shown() -> dict[str, Any]:
    attempt = {
        "number": NUMBER,
        "started": STAMP,
        "finished": _or_null(STAMP),
        "status_code": _or_null(NUMBER),
        "verdict": _or_null(TEXT),
        "detail": TEXT,
    }
    tries = {"type": "array", "items": _object(attempt)}
    return _object({**_run()["properties"], "tries": tries})


_ACTION = _object(
    {
        "id": NUMBER,
        "name": TEXT,
        "tool": TEXT,
        "title": TEXT,
        "kind": {"enum": ["lookup", "change"]},
        "description": TEXT,
        "enabled": FLAG,
        "version": NUMBER,
        "approval": {"enum": ["never", "always", "conditional"]},
        "conditions": {"type": "array", "items": {"type": "object"}},
        "quorum": NUMBER,
        "requires_customer": FLAG,
        "inputs": {"type": "array", "items": {"type": "object"}},
        "input_schema": {"type": "object"},
        "target": _object({"kind": TEXT, "input": TEXT}),
        "money": _or_null({"type": "object"}),
        "evidence_kinds": {"type": "array", "items": TEXT},
        "connection": _object({"name": TEXT, "kind": TEXT, "enabled": FLAG}),
    }
)

Described = tuple[dict[str, Any], Any]
RUN: Described = (_run(), RUN_EXAMPLE)
SHOWN_RUN: Described = (_shown(), RUN_EXAMPLE | {"tries": TRIES})
RUNS: Described = (
    _object({"runs": {"type": "array", "items": _run()}, "next": _or_null(TEXT)}),
    {"runs": [RUN_EXAMPLE], "next": None},
)
ACTION: Described = (_ACTION, ACTION_EXAMPLE)
ACTIONS: Described = (
    _object({"actions": {"type": "array", "items": _ACTION}}),
    {"actions": [ACTION_EXAMPLE]},
)

DECISION = {
    "application/json": {
        "type": "object",
        "properties": {
            "digest": {
                "type": "string",
                "description": "The digest of the content that was decided on.",
            },
            "reason": {"type": "string", "maxLength": 5000},
        },
        "required": ["digest"],
        "additionalProperties": False,
    }
}
DECISION_EXAMPLES = [
    OpenApiExample(
        "decision",
        value={"digest": RUN_EXAMPLE["digest"], "reason": "Dentro de plazo."},
        request_only=True,
    )
]


def answers(described: Described, *more: int) -> dict[Any, Any]:
    """Return the responses of an operation: the good one, and each problem it has."""
    shape, example = described
    good = OpenApiResponse(
        response=shape, examples=[OpenApiExample("ok", value=example)]
    )
    problems = {
        (status, MEDIA_TYPE): OpenApiResponse(
            response=PROBLEM,
            description=PROBLEMS[status]["detail"],
            examples=[OpenApiExample(PROBLEMS[status]["code"], value=PROBLEMS[status])],
        )
        for status in sorted({401, 403, 429, *more})
    }
    return {(200, "application/json"): good, **problems}
