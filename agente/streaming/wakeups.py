"""The process's one subscription to Redis: wake-ups come in, nothing goes out.

A wake-up only says "read again", so losing Redis loses time and never a fact: while it
is away, whoever depends on it polls faster.
"""

import asyncio
import logging
import time
from collections.abc import Callable
from typing import Any

from django.conf import settings
from redis.asyncio import Redis
from redis.asyncio.client import PubSub
from redis.exceptions import RedisError

from maya.lib import wake

CHANNELS = (wake.EVENTS, wake.DRAFTS, wake.SITES)
CONNECT_SECONDS = 1.0
READ_SECONDS = 0.5
QUIET_SECONDS = 2.0
"""After this long without a word Redis is asked for one; twice as long is a loss."""
AGAIN_SECONDS = 0.5
DOUBT_SECONDS = wake.PAUSE_SECONDS + 2.0
"""For this long after a return, writers may still hold back their hints."""

logger = logging.getLogger(__name__)

Handler = Callable[[str, str], None]
"""Takes a channel's name and the message's text."""


class Wakeups:
    """Listens for ever, connecting again whenever Redis went away or froze."""

    def __init__(self, on_message: Handler, on_return: Callable[[], None]) -> None:
        """``on_return`` is called at each (re)connection: much may have been missed."""
        self.is_alive = False
        self._sound_from = 0.0
        self._on_message = on_message
        self._on_return = on_return
        self._client = Redis.from_url(
            settings.REDIS_URL,
            decode_responses=True,
            socket_connect_timeout=CONNECT_SECONDS,
            socket_timeout=READ_SECONDS,
            retry=None,
        )
        # A subscription may be silent for as long as it likes
        self._listener = Redis.from_url(
            settings.REDIS_URL,
            decode_responses=True,
            socket_connect_timeout=CONNECT_SECONDS,
            socket_timeout=None,
            retry=None,
        )

    @property
    def is_sound(self) -> bool:
        """Say whether hints can be relied on: Redis is here, not only just back."""
        return self.is_alive and time.monotonic() >= self._sound_from

    async def listen(self) -> None:
        """Pass on what is published, until cancelled."""
        while True:
            try:
                async with self._listener.pubsub() as subscription:
                    await self._subscribe(subscription)
                    await self._pass_on(subscription)
            except Exception as error:  # noqa: BLE001  a listener that ends is deaf
                if self.is_alive:
                    logger.warning("wake-ups lost: %s", type(error).__name__)
                self.is_alive = False
            await asyncio.sleep(AGAIN_SECONDS)

    async def draft(self, run_id: str) -> str | None:
        """Return a turn's stored draft as JSON text, if Redis has and gives it."""
        try:
            kept = await self._client.get(f"{wake.DRAFTS}:{run_id}")
        except (RedisError, OSError, TimeoutError):
            return None
        return kept if isinstance(kept, str) else None

    async def close(self) -> None:
        """Give the connections back."""
        await self._client.aclose()
        await self._listener.aclose()

    async def _subscribe(self, subscription: PubSub) -> None:
        async with asyncio.timeout(CONNECT_SECONDS):
            await subscription.subscribe(*CHANNELS)
            # The answer tells that Redis is there: a frozen one accepts connections
            await subscription.get_message(timeout=None)
        self.is_alive = True
        self._sound_from = time.monotonic() + DOUBT_SECONDS
        self._on_return()

    async def _pass_on(self, subscription: PubSub) -> None:
        was_asked = False
        while True:
            message: dict[str, Any] | None = await subscription.get_message(
                timeout=QUIET_SECONDS
            )
            if message is None:
                if was_asked:
                    raise TimeoutError
                async with asyncio.timeout(CONNECT_SECONDS):
                    await subscription.ping()
                was_asked = True
                continue
            was_asked = False
            if message["type"] == "message":
                self._hand_over(message["channel"], message["data"])

    def _hand_over(self, channel: str, text: str) -> None:
        try:
            self._on_message(channel, text)
        except (ValueError, KeyError, TypeError):
            logger.warning("a wake-up on %s could not be read", channel)
