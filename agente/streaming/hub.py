"""The process's one place between the log and its readers.

A wake-up has a conversation read once, however many read it here, and what is new is
pushed to each. Wake-ups are hints: a slow poll finds what a lost one missed, a faster
one stands in while Redis is away, and its return has everything read again.
"""

import asyncio
import json
import logging
from weakref import WeakKeyDictionary

from psycopg import Error as DatabaseError

from maya.lib import wake

from . import log, pool
from .channel import Channel, Listener
from .scope import Scope
from .sites import Sites
from .tasks import Tasks
from .wakeups import Wakeups

POLL_SECONDS = 5.0
POLL_IN_DOUBT_SECONDS = 1.0

POSITIONS = """
SELECT id::text, position FROM acciones_conversation WHERE id = ANY(%(ids)s::uuid[])
"""

logger = logging.getLogger(__name__)


class Hub:
    """All that one process follows. It starts with its first listener."""

    def __init__(self) -> None:
        self._channels: dict[str, Channel] = {}
        self.sites = Sites()
        self._tasks = Tasks()
        self._wakeups = Wakeups(self._on_message, self._read_everything)
        self._tasks.start(self._wakeups.listen())
        self._tasks.start(self._poll())

    @classmethod
    def here(cls) -> "Hub":
        """Return the running loop's hub."""
        loop = asyncio.get_running_loop()
        if loop not in _hubs:
            _hubs[loop] = cls()
        return _hubs[loop]

    async def close(self) -> None:
        """Stop listening; for tests, a process just ends."""
        _hubs.pop(asyncio.get_running_loop(), None)
        await self._tasks.cancel()
        await self._wakeups.close()
        await pool.close()

    def join(self, scope: Scope, listener: Listener) -> Channel:
        """Follow a conversation: whatever is committed from now on gets pushed.

        Whoever queries the history after this call misses nothing: what the hub does
        not push from here on was already there to be found.
        """
        channel = self._channels.get(scope.conversation_id)
        if channel is None:
            channel = Channel(scope.conversation_id, scope.position)
            self._channels[channel.id] = channel
        channel.listeners.add(listener)
        for turn in scope.open_turns:
            if turn not in channel.drafts.by_turn:
                self._tasks.start(self._restore_draft(channel, turn))
        return channel

    def leave(self, channel: Channel, listener: Listener) -> None:
        """Stop following; the last to leave takes the channel along."""
        channel.listeners.discard(listener)
        if not channel.listeners and self._channels.get(channel.id) is channel:
            del self._channels[channel.id]

    def _on_message(self, channel: str, text: str) -> None:
        if channel == wake.EVENTS and text in self._channels:
            self._read(self._channels[text])
        elif channel == wake.DRAFTS:
            self._take_draft(text)
        elif channel == wake.SITES:
            self.sites.changed(int(text))

    def _take_draft(self, text: str) -> None:
        message = json.loads(text)
        channel = self._channels.get(message["conversation"])
        if channel is None:
            return
        if channel.drafts.add(message):
            channel.wake()
        else:
            self._tasks.start(self._restore_draft(channel, message["run_id"]))

    async def _restore_draft(self, channel: Channel, turn: str) -> None:
        text = await self._wakeups.draft(turn)
        if text is None:
            return
        kept = json.loads(text)
        if kept["conversation"] == channel.id:
            channel.drafts.restore(turn, kept["attempt"], kept["text"])
            channel.wake()

    def _read(self, channel: Channel) -> None:
        """Have a channel read; hints that come meanwhile make it one more reading."""
        channel.is_stale = True
        if not channel.is_reading:
            channel.is_reading = True
            self._tasks.start(self._read_on(channel))

    async def _read_on(self, channel: Channel) -> None:
        scope = Scope(channel.id, None, channel.position, channel.position)
        try:
            while channel.is_stale and channel.listeners:
                channel.is_stale = False
                batch = await log.page(scope, channel.position)
                if batch.events:
                    channel.is_stale = channel.is_stale or batch.is_full
                    channel.push(batch)
        except DatabaseError as error:
            # The poll comes back to it
            logger.warning("the log could not be read: %s", error)
        finally:
            channel.is_reading = False

    def _read_everything(self) -> None:
        for channel in tuple(self._channels.values()):
            self._read(channel)
        self.sites.all_changed()

    async def _poll(self) -> None:
        """Look slowly at what wake-ups should have told, sooner without them."""
        waited = 0.0
        while True:
            await asyncio.sleep(POLL_IN_DOUBT_SECONDS)
            waited += POLL_IN_DOUBT_SECONDS
            if self._wakeups.is_sound and waited < POLL_SECONDS:
                continue
            waited = 0.0
            try:
                await self._read_what_moved()
                await self.sites.poll()
            except DatabaseError as error:
                logger.warning("the poll failed: %s", error)

    async def _read_what_moved(self) -> None:
        if not self._channels:
            return
        ids = list(self._channels)
        for conversation_id, position in await pool.rows(POSITIONS, {"ids": ids}):
            channel = self._channels.get(conversation_id)
            if channel is not None and channel.position < position:
                self._read(channel)


_hubs: WeakKeyDictionary[asyncio.AbstractEventLoop, Hub] = WeakKeyDictionary()
