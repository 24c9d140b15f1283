"""The API for people: the OpenAPI document as one plain page, without a script."""

import json
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe
from drf_spectacular.generators import SchemaGenerator

METHODS = ("get", "post", "put", "patch", "delete")


@dataclass(frozen=True)
class Body:
    """A body that goes in or out: what it is, its schema or an example as JSON."""

    title: str
    description: str
    text: str


@dataclass(frozen=True)
class Operation:
    """One method on one path."""

    anchor: str
    method: str
    path: str
    summary: str
    description: str
    parameters: list[dict[str, Any]]
    bodies: list[Body]


@require_safe
def api_page(request: HttpRequest) -> HttpResponse:
    """Draw every operation of ``/api/schema``."""
    schema = SchemaGenerator().get_schema(request=None, public=True)  # type: ignore[no-untyped-call]
    return render(request, "maya/api.html", {"operations": operations(schema)})


def operations(schema: dict[str, Any]) -> list[Operation]:
    """Return the document's operations in its own order."""
    return [
        _operation(schema, method, path, item[method])
        for path, item in schema["paths"].items()
        for method in METHODS
        if method in item
    ]


def _operation(
    schema: dict[str, Any], method: str, path: str, spec: dict[str, Any]
) -> Operation:
    description = spec.get("description", "").strip()
    first, _line, rest = description.partition("\n")
    bodies = (
        [_body(schema, "Body", spec["requestBody"])] if "requestBody" in spec else []
    )
    bodies += [
        _body(schema, str(code), answer) for code, answer in spec["responses"].items()
    ]
    return Operation(
        anchor=spec["operationId"],
        method=method.upper(),
        path=path,
        summary=spec.get("summary") or first,
        description=description if spec.get("summary") else rest.strip(),
        parameters=spec.get("parameters", []),
        bodies=bodies,
    )


def _body(schema: dict[str, Any], title: str, spec: dict[str, Any]) -> Body:
    content: dict[str, Any] = next(iter(spec.get("content", {}).values()), {})
    examples = [example["value"] for example in content.get("examples", {}).values()]
    shown = examples[0] if examples else _resolved(schema, content.get("schema"))
    text = json.dumps(shown, ensure_ascii=False, indent=2) if shown else ""
    return Body(title, spec.get("description", ""), text)


def _resolved(schema: dict[str, Any], node: Any, depth: int = 0) -> Any:
    """Return a schema with its references followed, as deep as helps a reader."""
    if isinstance(node, list):
        return [_resolved(schema, item, depth) for item in node]
    if not isinstance(node, dict):
        return node
    if "$ref" in node and depth < 4:
        target: Any = schema
        for step in node["$ref"].removeprefix("#/").split("/"):
            target = target[step]
        return _resolved(schema, target, depth + 1)
    return {key: _resolved(schema, value, depth) for key, value in node.items()}
