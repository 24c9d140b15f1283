"""Fences what tools say: data between marks, capped, that nothing in it can close."""

import json
import re
from typing import Any

MAXIMUM_CHARACTERS = 12_000
"""One tool's result as the model sees it; a longer one is cut and says so."""

KEPT = ("status", "now", "code", "reference")
"""What stays readable of a result that is cut."""
MARK = "datos"
_CLOSED = re.compile(rf"<{MARK} de=\"[^\"]*\">\n(.*)\n</{MARK}>", re.DOTALL)


def fenced(
    source: str, value: dict[str, Any], *, maximum: int = MAXIMUM_CHARACTERS
) -> str:
    """Return a result as fenced JSON in which no text can end the fence."""
    text = _escaped(value)
    if len(text) > maximum:
        kept = {key: value[key] for key in KEPT if key in value}
        text = _escaped({**kept, "truncated": True, "text": text[:maximum]})
    return f'<{MARK} de="{source}">\n{text}\n</{MARK}>'


def _escaped(value: Any) -> str:
    # "<" only ever occurs inside JSON strings, where \u003c means the same
    return json.dumps(value, ensure_ascii=False).replace("<", "\\u003c")


def unfenced(text: str) -> dict[str, Any]:
    """Return the value of a fenced result; an empty object for anything else."""
    found = _CLOSED.fullmatch(text)
    if found is None:
        return {}
    value = json.loads(found.group(1))
    return value if isinstance(value, dict) else {}
