"""A bare ASGI answer: problems whole, streams piece by piece, bodies within bounds.

Bare, because a Django streaming response holds a thread for as long as it lasts.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Any

from psycopg import Error as DatabaseError

from acciones.api.problems import MEDIA_TYPE, body
from acciones.errors import MayaError, TooLarge
from maya.lib import canonical

# ASGI's messages are dictionaries of many shapes; servers check them
Message = dict[str, Any]
ASGIScope = dict[str, Any]
Receive = Callable[[], Awaitable[Any]]
Send = Callable[[Any], Awaitable[None]]
App = Callable[[Any, Any, Any], Awaitable[None]]
Headers = list[tuple[bytes, bytes]]

BODY_SECONDS = 10
STALL_SECONDS = 20
"""A client that takes nothing from one look to the next is closed."""
NEVER_KEPT: Headers = [
    (b"cache-control", b"no-store"),
    (b"x-content-type-options", b"nosniff"),
]


class MethodNotAllowed(MayaError):
    """Este método no vale aquí."""

    code, status = "method_not_allowed", 405


class Unavailable(MayaError):
    """Ahora mismo no podemos leerlo. Vuelve a intentarlo en un momento."""

    code, status = "unavailable", 503


class TooSlow(MayaError):
    """La petición tardó demasiado en llegar."""

    code, status = "too_slow", 408


class UnsupportedMediaType(MayaError):
    """El cuerpo debe ser application/json."""

    code, status = "unsupported_media_type", 415


class Continues(MayaError):
    """Aún hay más: sigue con «despues»."""

    code = "continues"


class HungUp(Exception):
    """The client is gone, or takes nothing any more."""


class Answer:
    """One streamed HTTP answer. ``sent`` counts the bytes of its body.

    A stalled client is found by a look now and then: a time-out around each piece would
    cost as much as sending it.
    """

    __slots__ = (
        "_is_sending",
        "_is_stalled",
        "_look",
        "_send",
        "_task",
        "_was",
        "sent",
    )

    def __init__(self, send: Send) -> None:
        self._send = send
        self._task: asyncio.Task[Any] | None = None
        self._look: asyncio.TimerHandle | None = None
        self._is_sending = False
        self._is_stalled = False
        self._was = -1
        self.sent = 0

    @property
    def has_begun(self) -> bool:
        """Say whether the head is on its way: no problem can be told any more."""
        return self._task is not None

    async def begin(self, media_type: bytes) -> None:
        """Send the head of a stream that no proxy may keep or hold back."""
        self._task = asyncio.current_task()
        self._look_again()
        await self._send(
            {
                "type": "http.response.start",
                "status": 200,
                "headers": [
                    (b"content-type", media_type),
                    (b"x-accel-buffering", b"no"),
                    *NEVER_KEPT,
                ],
            }
        )
        # Daphne keeps the head back until there is a body, however empty
        await self._send({"type": "http.response.body", "more_body": True})

    async def write(self, piece: bytes) -> None:
        """Send a piece; raises ``HungUp`` when the client does not take it."""
        if not piece:
            return
        self.sent += len(piece)
        self._is_sending = True
        try:
            await self._send(
                {"type": "http.response.body", "body": piece, "more_body": True}
            )
        except asyncio.CancelledError:
            if self._is_stalled:
                raise HungUp from None
            raise
        self._is_sending = False

    async def end(self) -> None:
        """Finish cleanly."""
        await self._send({"type": "http.response.body", "body": b""})

    def close(self) -> None:
        """Stop looking after the client."""
        if self._look is not None:
            self._look.cancel()

    def _look_again(self) -> None:
        """Give up when nothing was taken since the last look."""
        if self._is_sending and self._was == self.sent and self._task is not None:
            self._is_stalled = True
            self._task.cancel()
            return
        self._was = self.sent
        loop = asyncio.get_running_loop()
        self._look = loop.call_later(STALL_SECONDS, self._look_again)


def bare(app: Callable[[ASGIScope, Receive, Answer], Awaitable[None]]) -> App:
    """Make an ASGI application of a stream: what it refuses becomes a problem."""

    async def application(scope: ASGIScope, receive: Receive, send: Send) -> None:
        answer = Answer(send)
        try:
            await app(scope, receive, answer)
        except HungUp:
            return
        except MayaError as error:
            await problem(send, error)
        except DatabaseError:
            # In the middle of a stream: end it, the client comes back with its cursor
            await (answer.end() if answer.has_begun else problem(send, Unavailable()))
        finally:
            answer.close()

    return application


async def problem(send: Send, error: MayaError) -> None:
    """Answer with an RFC 9457 document."""
    content = canonical.compact(body(error))
    headers: Headers = [
        (b"content-type", MEDIA_TYPE.encode()),
        (b"content-length", str(len(content)).encode()),
        *NEVER_KEPT,
    ]
    if "allow" in error.extra:
        headers.append((b"allow", error.extra["allow"].encode()))
    start = {"type": "http.response.start", "status": error.status, "headers": headers}
    await send(start)
    await send({"type": "http.response.body", "body": content})


def demand_json(scope: ASGIScope) -> None:
    """Raise ``UnsupportedMediaType`` for a body that does not call itself JSON."""
    headers = dict(scope["headers"])
    media_type = headers.get(b"content-type", b"").split(b";")[0].strip().lower()
    if media_type != b"application/json":
        raise UnsupportedMediaType


async def read_body(receive: Receive, *, most: int) -> bytes:
    """Return a request's body; raises ``TooLarge``, ``TooSlow``, ``HungUp``."""
    content = bytearray()
    try:
        async with asyncio.timeout(BODY_SECONDS):
            while True:
                message = await receive()
                if message["type"] == "http.disconnect":
                    raise HungUp
                content += message.get("body", b"")
                if len(content) > most:
                    raise TooLarge
                if not message.get("more_body"):
                    break
    except TimeoutError:
        raise TooSlow from None
    return bytes(content)


@contextmanager
def watching(receive: Receive, on_hangup: Callable[[], None]) -> Iterator[None]:
    """Call ``on_hangup`` when the client goes away while the block runs."""
    watcher = asyncio.create_task(_watch(receive, on_hangup))
    try:
        yield
    finally:
        watcher.cancel()


async def _watch(receive: Receive, on_hangup: Callable[[], None]) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    on_hangup()
