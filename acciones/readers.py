"""Readers of evidence: each kind has one, registered by the app that owns the source.

Dispatch reads evidence again through this table and so needs no import upward.
"""

import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from .models import Evidence


@dataclass(frozen=True)
class Reading:
    """What a read gave. Only ``not_found`` means that the thing does not exist.

    ``unknown`` proves nothing: a time-out, an error, an answer outside the schema.
    """

    status: str
    data: dict[str, Any] = field(default_factory=dict)
    card: dict[str, Any] | None = None
    detail: str = ""
    fingerprint: str = ""


FOUND, NOT_FOUND, UNKNOWN = "found", "not_found", "unknown"
Reader = Callable[[Evidence], Awaitable[Reading]]
logger = logging.getLogger(__name__)
_readers: dict[str, Reader] = {}


def register(kind: str, reader: Reader) -> None:
    """Name the reader of a kind; a second one for the same kind is refused."""
    if _readers.get(kind, reader) is not reader:
        raise ValueError(f"evidence kind {kind!r} already has a reader")
    _readers[kind] = reader


def known() -> set[str]:
    """Return the kinds that can be read again."""
    return set(_readers)


async def read_again(evidence: Evidence) -> Reading:
    """Read one piece of evidence as it is now.

    A reader that breaks has read nothing: raised on, it would hold up a run for ever.
    """
    reader = _readers.get(evidence.kind)
    if reader is None:
        return Reading(UNKNOWN, detail=f"no reader for {evidence.kind}")
    try:
        return await reader(evidence)
    except Exception as error:
        logger.exception("the reader of %s broke", evidence.kind)
        return Reading(UNKNOWN, detail=type(error).__name__)
