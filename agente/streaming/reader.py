"""The one reader behind SSE, WebSocket and JSONL: history first, then what follows.

It subscribes, then queries, so that nothing falls between the two; from then on the
hub pushes. Whoever cannot keep up loses the buffer and not the place: the reader goes
back to the log, at its own pace, from its cursor.
"""

import asyncio
from types import TracebackType
from typing import Self

from . import log, snapshot
from .channel import Channel
from .drafts import Provisional, Shown
from .hub import Hub
from .log import Batch
from .scope import Scope

BUFFER_CHARACTERS = 256 * 1024
HEARTBEAT_SECONDS = 15.0
"""Silence lasts between one and two of these before a heartbeat breaks it."""
LIFE_SECONDS = 15 * 60.0
"""Then the client comes back with its cursor and is asked again who it is."""

Frame = Batch | Provisional


class Reader:
    """Follows a scope from a cursor. Use as ``async with``, then ask for ``next``."""

    __slots__ = (
        "_buffer",
        "_buffered",
        "_channel",
        "_ends",
        "_follows",
        "_has_spoken",
        "_hub",
        "_is_beat_due",
        "_is_behind",
        "_is_new",
        "_loop",
        "_shown",
        "_timer",
        "_waiter",
        "_wants_drafts",
        "cursor",
        "is_closed",
        "scope",
    )

    def __init__(
        self, scope: Scope, cursor: int, *, drafts: bool = True, follow: bool = True
    ) -> None:
        """Without ``follow`` it closes itself where the history ends."""
        self.scope = scope
        self.cursor = cursor
        self.is_closed = False
        self._follows = follow
        self._wants_drafts = drafts
        self._shown = Shown()
        self._buffer: list[Batch] = []
        self._buffered = 0
        self._is_new = True
        self._is_behind = True
        self._is_beat_due = False
        self._has_spoken = False
        self._waiter: asyncio.Future[None] | None = None

    async def __aenter__(self) -> Self:
        self._loop = asyncio.get_running_loop()
        self._hub = Hub.here()
        self._channel: Channel = self._hub.join(self.scope, self)
        self._ends = self._loop.time() + LIFE_SECONDS
        self._timer = self._loop.call_later(HEARTBEAT_SECONDS, self._tick)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._timer.cancel()
        self._hub.leave(self._channel, self)

    async def next(self) -> list[Frame]:
        """Wait for the next frames, in order; none of them means a heartbeat.

        After ``close``, or at the end of a reader's life, ``is_closed`` is set and
        nothing comes any more. Raises ``psycopg.Error`` when the log cannot be read.
        """
        while not self.is_closed:
            if frames := await self._ready():
                self._has_spoken = True
                return frames
            if self._is_beat_due:
                self._is_beat_due = False
                return []
            if self.is_caught_up and not self._follows:
                self.close()
            elif self.is_caught_up:
                await self._wait()
        return []

    @property
    def is_caught_up(self) -> bool:
        """Say whether everything that this process knows of was handed over."""
        return not self._is_behind and not self._buffer

    def close(self) -> None:
        """End the reading: the other side hung up."""
        self.is_closed = True
        self.wake()

    def push(self, batch: Batch) -> None:
        """Take new events from the hub, unless there are too many waiting already."""
        if self._is_behind:
            return
        self._buffer.append(batch)
        self._buffered += batch.size
        if self._buffered > BUFFER_CHARACTERS:
            self._fall_behind()
        self.wake()

    def wake(self) -> None:
        """Look again at what there is to send."""
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    async def _wait(self) -> None:
        self._waiter = self._loop.create_future()
        try:
            await self._waiter
        finally:
            self._waiter = None

    async def _ready(self) -> list[Frame]:
        """Return what can be sent now: facts first, then drafts on top of them."""
        if self._is_behind and (frames := await self._catch_up()):
            return frames
        if self._buffer and (frames := self._take_buffer()):
            return frames
        if self.is_caught_up and self._wants_drafts:
            return [*self._shown.news(self._channel.drafts)]
        return []

    async def _catch_up(self) -> list[Frame]:
        # From here on pushes are kept; what they do not bring, this query finds
        self._is_behind = False
        is_first, self._is_new = self._is_new, False
        batch = await log.page(self.scope, self.cursor)
        if self._is_gap(batch) if batch.events else self._is_lost(is_first):
            return [await self._start_over()]
        if batch.is_full:
            self._fall_behind()
        if self.scope.open_turns:
            self._channel.settle_past(batch, self.scope.open_turns)
        return [self._advance(batch)] if batch.events else []

    def _is_gap(self, batch: Batch) -> bool:
        first = batch.events[0]
        return first.type != snapshot.TYPE and self._key(first) > self.cursor + 1

    def _is_lost(self, is_first: bool) -> bool:
        """Say whether an empty page means a cursor that leads nowhere."""
        return is_first and self.cursor != self.scope.last

    async def _start_over(self) -> Batch:
        """Give the present view in place of what is gone, and go on from there."""
        self._fall_behind()
        event = await snapshot.take(self.scope)
        self.cursor = self._key(event)
        return Batch(self.scope.conversation_id, [event])

    def _take_buffer(self) -> list[Frame]:
        batches, self._buffer, self._buffered = self._buffer, [], 0
        frames: list[Frame] = []
        for batch in batches:
            new = batch.after(self.scope, self.cursor)
            if not new.events:
                continue
            if self._is_gap(new):
                self._fall_behind()
                break
            frames.append(self._advance(new))
        return frames

    def _advance(self, batch: Batch) -> Batch:
        self.cursor = self._key(batch.events[-1])
        return batch

    def _fall_behind(self) -> None:
        self._is_behind = True
        self._buffer.clear()
        self._buffered = 0

    def _key(self, event: log.Event) -> int:
        return event.position if self.scope.run_id is None else event.seq

    def _tick(self) -> None:
        """Once in a while: a heartbeat if it was quiet, the end if it was long."""
        if self._loop.time() >= self._ends:
            self.close()
            return
        if not self._has_spoken:
            self._is_beat_due = True
            self.wake()
        self._has_spoken = False
        self._timer = self._loop.call_later(HEARTBEAT_SECONDS, self._tick)
