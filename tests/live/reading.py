"""Reads from the one reader, as its tests do."""

from agente.streaming.log import Batch, Event
from agente.streaming.reader import Reader
from agente.streaming.scope import Scope
from tests.live.talk import Talk


def whole(talk: Talk) -> Scope:
    """Return the conversation as a scope, as it is now."""
    talk.conversation.refresh_from_db()
    position = talk.conversation.position
    return Scope(talk.id, None, position, position, (talk.turn_id,))


async def take(follower: Reader, count: int) -> list[Event]:
    """Read until a number of events came."""
    events: list[Event] = []
    while len(events) < count:
        for frame in await follower.next():
            if isinstance(frame, Batch):
                events.extend(frame.events)
    return events


async def rest(follower: Reader) -> list[Event]:
    """Read a reader that does not follow to its end."""
    events: list[Event] = []
    while not follower.is_closed:
        for frame in await follower.next():
            if isinstance(frame, Batch):
                events.extend(frame.events)
    return events


def positions(events: list[Event]) -> list[int]:
    """Return where they stand."""
    return [event.position for event in events]
