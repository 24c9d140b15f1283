"""Adds to the OpenAPI description what no Django view answers: the streams."""

from typing import Any

from acciones import vocabulary
from acciones.api.shapes import PROBLEM

AFTER = {
    "name": "after",
    "in": "query",
    "description": "The last position (or seq, for a run) that you already have.",
    "schema": {"type": "integer", "minimum": 0},
}
LAST_EVENT_ID = {
    "name": "Last-Event-ID",
    "in": "header",
    "description": "What a reconnecting EventSource sends: the id of the last event.",
    "schema": {"type": "string"},
}
MESSAGE = {
    "type": "object",
    "required": ["sitio", "mensajeId", "mensaje"],
    "properties": {
        "sitio": {"type": "string"},
        "conversacion": {"type": "string", "format": "uuid"},
        "mensajeId": {"type": "string", "maxLength": 128},
        "mensaje": {"type": "string"},
    },
}
ACTION = {
    "type": "object",
    "required": ["sitio", "conversacion", "action"],
    "properties": {
        "sitio": {"type": "string"},
        "conversacion": {"type": "string", "format": "uuid"},
        "version": {"enum": ["v0.9", "v0.9.1"]},
        "action": {
            "type": "object",
            "required": ["name", "surfaceId", "sourceComponentId", "context"],
            "properties": {
                "name": {"type": "string"},
                "surfaceId": {"type": "string"},
                "sourceComponentId": {"type": "string"},
                "context": {"type": "object"},
                "timestamp": {"type": "string", "format": "date-time"},
                "idempotencyKey": {"type": "string", "maxLength": 128},
            },
        },
    },
}
RESUME = {
    "type": "object",
    "required": ["sitio", "conversacion", "despues"],
    "properties": {
        "sitio": {"type": "string"},
        "conversacion": {"type": "string", "format": "uuid"},
        "despues": {"type": "integer", "minimum": 0},
    },
}
RUN_AGENT_INPUT = {
    "type": "object",
    "description": "AG-UI 1.0's RunAgentInput. `threadId` is a conversation's id or "
    "any name of yours for one; `runId` is the message's id, and asked for again tells "
    "the same turn again; the last message is what the customer says. Maya keeps the "
    "history, and uses the site's tools alone: the rest is not read.",
    "required": ["threadId", "runId", "messages"],
    "properties": {
        "threadId": {"type": "string", "minLength": 1, "maxLength": 128},
        "runId": {"type": "string", "minLength": 1, "maxLength": 128},
        "messages": {"type": "array", "minItems": 1, "items": {"type": "object"}},
    },
}


def streams(result: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
    """Postprocess drf-spectacular's result; see its POSTPROCESSING_HOOKS."""
    schemas = result.setdefault("components", {}).setdefault("schemas", {})
    schemas["Event"] = vocabulary.envelope()
    schemas["Problem"] = PROBLEM
    result["paths"] |= {
        "/api/agente": {"post": _jsonl()},
        "/api/ag-ui/{site}": {"post": _ag_ui()},
        "/api/conversations/{id}/events": {"get": _sse("conversation", "position")},
        "/api/runs/{id}/events": {"get": _sse("run", "seq")},
    }
    return result


def _problems(*statuses: int) -> dict[str, Any]:
    problem = {"schema": {"$ref": "#/components/schemas/Problem"}}
    return {
        str(status): {
            "description": "A problem with a stable code.",
            "content": {"application/problem+json": problem},
        }
        for status in statuses
    }


def _jsonl() -> dict[str, Any]:
    body = {"schema": {"oneOf": [MESSAGE, ACTION, RESUME]}}
    return {
        "operationId": "talk",
        "summary": "Say something, use a surface, or resume; one JSON object a line.",
        "tags": ["streams"],
        "requestBody": {"required": True, "content": {"application/json": body}},
        "responses": {
            "200": {
                "description": 'Lines as they happen; {"tipo": "fin"} is the last.',
                "content": {"application/x-ndjson": {"schema": {"type": "string"}}},
            },
            **_problems(400, 401, 404, 409, 413, 415, 422),
        },
    }


def _ag_ui() -> dict[str, Any]:
    site = {
        "name": "site",
        "in": "path",
        "required": True,
        "schema": {"type": "string"},
    }
    body = {"schema": RUN_AGENT_INPUT}
    return {
        "operationId": "run_ag_ui",
        "summary": "Say something as an AG-UI 1.0 client.",
        "description": "RUN_STARTED first, then TOOL_CALL_*, TEXT_MESSAGE_* with "
        "accepted answers alone (their sources in `metadata`), and CUSTOM: `status`, "
        "`handoff`, `proposal` (its card) and `a2ui` (a message for a surface). "
        "RUN_FINISHED or RUN_ERROR is the last; after RUN_ERROR `continues` or "
        "`unavailable` the turn goes on: ask for the same run again.",
        "tags": ["streams"],
        "parameters": [site],
        "requestBody": {"required": True, "content": {"application/json": body}},
        "responses": {
            "200": {
                "description": "Server-sent events, each one AG-UI event.",
                "content": {"text/event-stream": {"schema": {"type": "string"}}},
            },
            **_problems(400, 401, 403, 404, 413, 415, 422, 429),
        },
    }


def _sse(scope: str, cursor: str) -> dict[str, Any]:
    return {
        "operationId": f"{scope}_events",
        "summary": f"Follow a {scope}: its history after your {cursor}, then the rest.",
        "tags": ["streams"],
        "parameters": [
            {
                "name": "id",
                "in": "path",
                "required": True,
                "schema": {"type": "string", "format": "uuid"},
            },
            AFTER,
            LAST_EVENT_ID,
        ],
        "responses": {
            "200": {
                "description": "Server-sent events; see the schema Event.",
                "content": {"text/event-stream": {"schema": {"type": "string"}}},
            },
            **_problems(400, 401, 404),
        },
    }
