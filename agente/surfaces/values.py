"""Fills a surface's data model from readings, and resolves what buttons would send."""

from collections.abc import Mapping
from typing import Any

from acciones.models import Conversation
from agente.models import ToolCall

FROM = "$from"
LOOKUP_PREFIX = "lookup_"


class Missing(LookupError):
    """A reading that the surface needs has not been made in this conversation."""


def model(values: Any, readings: Mapping[str, dict[str, Any]]) -> Any:
    """Return the data model: each ``{"$from": lookup, "path": …}`` replaced.

    ``"each"`` makes a list: for every item of the list at the path an object, whose
    values are paths in the item, or texts with ``{path}`` places. ``"list": true``
    wraps a value as the list that a ChoicePicker wants. Raises ``Missing``.
    """
    if isinstance(values, list):
        return [model(item, readings) for item in values]
    if not isinstance(values, dict):
        return values
    if FROM not in values:
        return {key: model(value, readings) for key, value in values.items()}
    source = values[FROM]
    if source not in readings:
        raise Missing(source)
    found = at(readings[source], values.get("path", ""))
    if "each" in values:
        return [_one(values["each"], item) for item in found or []]
    return [str(found)] if values.get("list") else found


def _one(shape: Mapping[str, str], item: Any) -> dict[str, Any]:
    return {
        key: template.format_map(item) if "{" in template else at(item, template)
        for key, template in shape.items()
    }


def at(value: Any, path: str, separator: str = ".") -> Any:
    """Return what stands at a path of keys and indices, or None."""
    for step in filter(None, path.split(separator)):
        if isinstance(value, Mapping):
            value = value.get(step)
        elif isinstance(value, list) and step.isdigit() and int(step) < len(value):
            value = value[int(step)]
        else:
            return None
    return value


def is_read(values: Any) -> bool:
    """Say whether any part of a value comes from a reading."""
    if isinstance(values, dict):
        return FROM in values or any(is_read(value) for value in values.values())
    return isinstance(values, list) and any(is_read(value) for value in values)


def context(declared: Mapping[str, Any], data: Any) -> dict[str, Any]:
    """Return a button's context as the client will resolve it now."""
    return {
        name: at(data, value["path"], "/")
        if isinstance(value, dict) and set(value) == {"path"}
        else value
        for name, value in declared.items()
    }


def readings(conversation: Conversation) -> dict[str, dict[str, Any]]:
    """Return the newest reading of each lookup in a conversation, in full."""
    calls = ToolCall.objects.filter(
        turn__conversation=conversation,
        name__startswith=LOOKUP_PREFIX,
        state=ToolCall.State.DONE,
        result__status="found",
    ).order_by("finished")
    return {
        name.removeprefix(LOOKUP_PREFIX): data
        for name, data in calls.values_list("name", "result__data")
    }
