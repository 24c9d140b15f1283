"""Fingerprints: the SHA-256 of the fields that a lookup declares as "the world"."""

from typing import Any

from maya.lib import canonical


def observed(data: dict[str, Any], paths: list[str]) -> dict[str, Any]:
    """Return the declared fields by their dotted path; all of them if none is named.

    A field that is missing is recorded as missing (null), which is a value too.
    """
    if not paths:
        return data
    return {path: _at(data, path) for path in paths}


def fingerprint(values: dict[str, Any]) -> str:
    """Return the fingerprint of observed values."""
    return canonical.sha256(values)


def _at(data: Any, path: str) -> Any:
    for step in path.split("."):
        if not isinstance(data, dict):
            return None
        data = data.get(step)
    return data
