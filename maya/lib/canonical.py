"""JSON with one meaning: strict reading, compact writing, canonical hashing."""

import hashlib
import json
from typing import Any

import rfc8785

from .stored import is_storable

MAXIMUM_DEPTH = 64
"""Levels of nesting: far below what any reader of the stored value can take."""

# RFC 8259 leaves duplicate keys open, and Python accepts NaN: two readers of one
# body could then see two different requests. Both are refused.


class NotJSON(ValueError):
    """The bytes are not the strict JSON that we accept."""


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise NotJSON("duplicate key")
    return found


def _refuse(constant: str) -> Any:
    raise NotJSON(f"{constant} is not JSON")


def strict_loads(raw: bytes | str) -> Any:
    """Parse UTF-8 JSON; raises ``NotJSON`` on duplicates, NaN, bad text or depth."""
    try:
        text = raw.decode("utf-8") if isinstance(raw, bytes) else raw
        value = json.loads(text, object_pairs_hook=_unique, parse_constant=_refuse)
    except NotJSON:
        raise
    except (ValueError, RecursionError) as error:
        raise NotJSON("not UTF-8 JSON") from error
    # What is unfit can only have come in an escape, or with many brackets
    if "\\" in text or text.count("[") + text.count("{") > MAXIMUM_DEPTH:
        _require_fit(value)
    return value


def _require_fit(value: Any) -> None:
    """Refuse text that no column can hold, and depth that some reader cannot take.

    Level by level: a function that called itself would meet its own limit.
    """
    level = [value]
    for _ in range(MAXIMUM_DEPTH):
        below: list[Any] = []
        for item in level:
            if isinstance(item, str) and not is_storable(item):
                raise NotJSON("NUL or half a character")
            if isinstance(item, dict):
                below += [*item, *item.values()]
            elif isinstance(item, list):
                below += item
        level = below
    if level:
        raise NotJSON("nested too deeply")


def compact(value: Any) -> bytes:
    """Write compact UTF-8 JSON in the given key order: what goes on the wire."""
    return json.dumps(
        value, ensure_ascii=False, separators=(",", ":"), allow_nan=False
    ).encode()


def dumps(value: Any) -> bytes:
    """Write RFC 8785 canonical JSON: what gets hashed."""
    return rfc8785.dumps(value)


def sha256(value: Any) -> str:
    """Return the SHA-256 hex of a value's canonical JSON."""
    return hashlib.sha256(dumps(value)).hexdigest()
