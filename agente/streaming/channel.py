"""One conversation that somebody in this process follows."""

import json
from typing import Protocol

from .drafts import Drafts
from .log import Batch, Event

ENDED = ("done", "failed", "stopped")
NEVER_AGAIN = float("inf")


class Listener(Protocol):
    """Who follows a conversation."""

    def push(self, batch: Batch) -> None:
        """Take events that are new in the conversation; never waits."""

    def wake(self) -> None:
        """Look at the drafts again."""


class Channel:
    """A conversation's listeners and drafts; the log is read up to ``position``."""

    __slots__ = ("drafts", "id", "is_reading", "is_stale", "listeners", "position")

    def __init__(self, conversation_id: str, position: int) -> None:
        self.id = conversation_id
        self.position = position
        self.listeners: set[Listener] = set()
        self.drafts = Drafts()
        self.is_stale = False
        self.is_reading = False

    def push(self, batch: Batch) -> None:
        """Hand new events to everybody, drafts first brought in line with them."""
        self.position = batch.events[-1].position
        for event in batch.events:
            self._settle(event)
        for listener in tuple(self.listeners):
            listener.push(batch)

    def settle_past(self, batch: Batch, turns: tuple[str, ...]) -> None:
        """Take note of answers in a page of history: a draft of theirs is left over."""
        for event in batch.events:
            if event.type == "message.completed" and event.run_id in turns:
                self._settle(event)

    def wake(self) -> None:
        """Have everybody look at the drafts."""
        for listener in tuple(self.listeners):
            listener.wake()

    def _settle(self, event: Event) -> None:
        if event.type == "tool.started":
            self.drafts.call_stored(event.run_id)
        elif event.type == "message.completed":
            self.drafts.settle(event.run_id, json.loads(event.payload)["attempt"])
        elif event.type == "run.status" and _ends(event):
            self.drafts.settle(event.run_id, NEVER_AGAIN)


def _ends(status: Event) -> bool:
    return json.loads(status.payload)["status"] in ENDED
