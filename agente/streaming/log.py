"""The event log as streams read it: pages of raw rows, bounded in number and bytes.

Payloads stay JSON text from the database to the wire; nobody parses them on the way.
"""

from collections.abc import Callable
from typing import NamedTuple

from . import pool
from .scope import Scope

PAGE_EVENTS = 500
PAGE_CHARACTERS = 256 * 1024
"""A page ends with the first event that takes it past this size."""

# The running sum is taken inside the database, so that a page of large payloads is cut
# before it travels. `{key}` is `position` or `seq`: each has its unique index.
PAGE = """
SELECT position, run_id, seq, type, payload, created FROM (
    SELECT position, run_id::text, seq, type, payload,
        to_json(created)::text AS created,
        sum(length(payload)) OVER (ORDER BY {key} ROWS UNBOUNDED PRECEDING)
            - length(payload) AS before
    FROM (
        SELECT position, run_id, seq, type, payload::text AS payload, created
        FROM acciones_event
        WHERE {scope} = %(id)s AND {key} > %(after)s
        ORDER BY {key} LIMIT %(limit)s
    ) AS page
) AS sized
WHERE before < %(characters)s
ORDER BY {key}
"""
OF_CONVERSATION = PAGE.format(key="position", scope="conversation_id")
OF_RUN = PAGE.format(key="seq", scope="run_id")


class Event(NamedTuple):
    """One durable fact. ``payload`` and ``created`` are JSON text."""

    position: int
    run_id: str
    seq: int
    type: str
    payload: str
    created: str

    @property
    def id(self) -> str:
        """Return the event's identity on every transport: ``<run>:<seq>``."""
        return f"{self.run_id}:{self.seq}"

    def envelope(self) -> str:
        """Return the event as JSON text: what most transports send."""
        return (
            f'{{"id":"{self.run_id}:{self.seq}","run_id":"{self.run_id}",'
            f'"seq":{self.seq},"position":{self.position},"type":"{self.type}",'
            f'"payload":{self.payload},"created":{self.created}}}'
        )


Encode = Callable[[str, Event], str]
"""Writes an event for one transport, given its conversation's id."""


class Batch:
    """Events that travel together; their encoding is made once for all readers."""

    __slots__ = ("_encoded", "conversation_id", "events", "size")

    def __init__(self, conversation_id: str, events: list[Event]) -> None:
        self.conversation_id = conversation_id
        self.events = events
        self.size = sum(len(event.payload) for event in events)
        self._encoded: dict[Encode, bytes] = {}

    @property
    def is_full(self) -> bool:
        """Say whether a page was cut, so that there may be more behind it."""
        return len(self.events) >= PAGE_EVENTS or self.size >= PAGE_CHARACTERS

    def encoded(self, encode: Encode) -> bytes:
        """Return all events in one transport's form."""
        known = self._encoded.get(encode)
        if known is None:
            where = self.conversation_id
            known = "".join([encode(where, event) for event in self.events]).encode()
            self._encoded[encode] = known
        return known

    def after(self, scope: Scope, cursor: int) -> "Batch":
        """Return what is new in this scope after the cursor, itself if all is."""
        if scope.run_id is None:
            if self.events[0].position > cursor:
                return self
            new = [event for event in self.events if event.position > cursor]
        else:
            new = [
                event
                for event in self.events
                if event.run_id == scope.run_id and event.seq > cursor
            ]
        return Batch(self.conversation_id, new)


async def page(scope: Scope, after: int) -> Batch:
    """Read the next events of a conversation, or of a turn or run alone."""
    query = OF_CONVERSATION if scope.run_id is None else OF_RUN
    found = await pool.rows(
        query,
        {
            "id": scope.run_id or scope.conversation_id,
            "after": after,
            "limit": PAGE_EVENTS,
            "characters": PAGE_CHARACTERS,
        },
    )
    return Batch(scope.conversation_id, [Event._make(row) for row in found])
