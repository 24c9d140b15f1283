"""What our WebSockets have in common: one task that sends, handlers that listen."""

import asyncio
from collections.abc import Coroutine
from typing import Any, cast

from channels.consumer import AsyncConsumer
from channels.exceptions import StopConsumer
from psycopg import Error as DatabaseError

from acciones.errors import MayaError
from maya.lib import canonical

from .answer import STALL_SECONDS, ASGIScope, Message, Unavailable

GOING_AWAY = 1001
"""Nothing is wrong: come back (RFC 6455 §7.4.1)."""
PING = b'{"type":"ping"}'
OURS = 4000
"""Private close codes: this plus the HTTP status of what was refused."""


class Socket(AsyncConsumer):
    """A Channels consumer without a channel layer: the hub wakes us, not Redis."""

    channel_layer_alias = "none"

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._sender: asyncio.Task[None] | None = None

    @property
    def asked(self) -> ASGIScope:
        """Return the scope of the request that opened the socket."""
        return cast(ASGIScope, self.scope)

    async def dispatch(self, message: Message) -> None:
        """Call the handler; Channels' own would look after ORM connections each time.

        That is a trip to a thread for each acknowledgement, and there are none here.
        """
        await getattr(self, message["type"].replace(".", "_"))(message)

    def start(self, work: Coroutine[Any, Any, None]) -> None:
        """Send from now on, in a task of its own; its end is the socket's."""
        self._sender = asyncio.create_task(self._until_the_end(work))

    async def accept(self) -> None:
        """Take the connection."""
        await self.send({"type": "websocket.accept"})

    async def tell(self, content: bytes) -> None:
        """Send one message; a client that takes none for long raises TimeoutError."""
        async with asyncio.timeout(STALL_SECONDS):
            await self.send({"type": "websocket.send", "text": content.decode()})

    async def refuse(self, error: MayaError) -> None:
        """Say what is wrong, and close."""
        said = {"type": "error", "code": error.code, "detail": error.detail}
        await self.tell(canonical.compact(said))
        await self.close(OURS + error.status)

    async def close(self, code: int) -> None:
        """Close the connection."""
        await self.send({"type": "websocket.close", "code": code})

    async def websocket_disconnect(self, message: Message) -> None:
        """End with the connection."""
        if self._sender is not None:
            self._sender.cancel()
        raise StopConsumer

    async def _until_the_end(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
            await self.close(GOING_AWAY)
        except MayaError as error:
            await self.refuse(error)
        except DatabaseError:
            await self.refuse(Unavailable())
        except TimeoutError:
            await self.close(OURS + 408)
