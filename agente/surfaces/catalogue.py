"""Our catalogue: the official basic one of A2UI v0.9 and a few optional extras.

The official part comes from the ``a2ui-core`` package. Extras are supersets that a
stock renderer may ignore, and components of our own; every emitted message is
validated here.
"""

from copy import deepcopy
from functools import cache, lru_cache
from typing import Any

from a2ui.core import (
    get_agent_to_renderer_schema_map,
    get_common_types_schema_map,
)
from a2ui.core.basic_catalog import BasicCatalog
from a2ui.core.schema import ProtocolVersion
from jsonschema import Draft202012Validator, FormatChecker
from jsonschema.exceptions import best_match
from referencing import Registry
from referencing.jsonschema import DRAFT202012

from maya.lib import canonical

from . import own
from .own import COMMON

CATALOGUE_ID = "/catalogo/v1.json"
VERSION = "v0.9"
SPECIFICATION = "https://a2ui.org/specification/v0_9/"


@cache
def catalogue() -> dict[str, Any]:
    """Return the catalogue document that ``/catalogo/v1.json`` serves."""
    document = deepcopy(BasicCatalog(VERSION).to_json())
    document["catalogId"] = CATALOGUE_ID
    document["title"] = "Maya"
    components = document["components"]
    _extend(components["Slider"], step=_NUMBER, action={"$ref": f"{COMMON}Action"})
    _extend(components["Tabs"], activa={"$ref": f"{COMMON}DynamicNumber"})
    _extend(components["ChoicePicker"], action={"$ref": f"{COMMON}Action"})
    for name, component in own.components().items():
        components[name] = component
        reference = {"$ref": f"#/components/{name}"}
        document["$defs"]["anyComponent"]["oneOf"].append(reference)
    return document


_NUMBER = {"type": "number", "exclusiveMinimum": 0}


def _extend(component: dict[str, Any], **optional: Any) -> None:
    component["allOf"][-1]["properties"].update(optional)


@cache
def _validator() -> Draft202012Validator:
    documents = {
        "catalog.json": catalogue(),
        "server_to_client.json": get_agent_to_renderer_schema_map(ProtocolVersion.V0_9),
        "common_types.json": get_common_types_schema_map(ProtocolVersion.V0_9),
    }
    registry: Registry[Any] = Registry().with_resources(
        (
            f"{SPECIFICATION}{name}",
            DRAFT202012.create_resource({**document, "$id": f"{SPECIFICATION}{name}"}),
        )
        for name, document in documents.items()
    )
    return Draft202012Validator(
        {"$ref": f"{SPECIFICATION}server_to_client.json"},
        registry=registry,
        format_checker=FormatChecker(),
    )


def problem(message: dict[str, Any]) -> str:
    """Return what is wrong with a message to a renderer, or an empty string."""
    return _problem(canonical.compact(message))


@lru_cache(maxsize=256)
def _problem(message: bytes) -> str:
    # A whole surface takes 85 ms, and the same ones are emitted again and again
    error = best_match(_validator().iter_errors(canonical.strict_loads(message)))
    return error.message[:300] if error else ""
