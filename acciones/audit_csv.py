"""The audit as CSV, for an auditor's spreadsheet or another system."""

import csv
import json
from collections.abc import Iterable
from typing import Any, Protocol

from maya.lib.shown import visible

from .models import AuditEntry

COLUMNS = (
    "id",
    "created",
    "site_name",
    "who",
    "user_id",
    "surface",
    "address",
    "kind",
    "verb",
    "subject",
    "subject_id",
    "before",
    "after",
    "note",
)
# What a spreadsheet would take for a formula (OWASP, CSV injection)
FORMULA = ("=", "+", "-", "@", "\t", "\r")


class Writable(Protocol):
    """Whatever takes text: a file, standard output, a streaming response's buffer."""

    def write(self, text: str, /) -> Any:
        """Take some text."""


def write(entries: Iterable[AuditEntry], out: Writable) -> int:
    """Write a heading and one line an entry; returns how many entries there were."""
    writer = csv.writer(out)
    writer.writerow(COLUMNS)
    count = 0
    for count, entry in enumerate(entries, start=1):  # noqa: B007  it is the result
        writer.writerow([_cell(getattr(entry, name)) for name in COLUMNS])
    return count


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, dict):
        value = json.dumps(value, ensure_ascii=False, sort_keys=True)
    text = visible(value.isoformat() if hasattr(value, "isoformat") else str(value))
    return f"'{text}" if text.startswith(FORMULA) else text
