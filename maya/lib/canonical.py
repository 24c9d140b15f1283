"""JSON with one meaning: strict reading, compact writing, canonical hashing."""

import hashlib
import json
from typing import Any

import rfc8785

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
        # Lone surrogates and NUL parse, but no UTF-8 column or wire can hold them
        if "\\" in text:
            _storable(value)
    except NotJSON:
        raise
    except (ValueError, RecursionError) as error:
        raise NotJSON("not UTF-8 JSON") from error
    if "\x00" in text:
        raise NotJSON("NUL character")
    return value


def _storable(value: Any) -> None:
    encoded = json.dumps(value, ensure_ascii=False).encode("utf-8")
    if b"\\u0000" in encoded:
        raise NotJSON("NUL character")


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
