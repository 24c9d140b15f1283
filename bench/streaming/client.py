"""Light clients by the hundred: they count events and answer pings, nothing else."""

import asyncio
import base64
import json
import os
import re
import time

NUMBER = re.compile(rb"n#(\d+) |id: ?[^\n]*:(\d+)\r?\n")
"""An event's number, which every event of a bench carries, or the cursor before it."""
OPENING = 25
"""Clients that connect at once; the others wait, so that no backlog overflows."""
ANSWER_SECONDS = 30
SHORT = 126
"""From this length on a frame tells its length in two bytes (RFC 6455 §5.2)."""
MARK = 128
"""No mark is longer: so much of what came last may be the first half of one."""


class Client(asyncio.Protocol):
    """One connection: the events' numbers and cursors as they came, and when.

    A lazy one only counts while it reads, so that a fast server is not held up by its
    client; ``look`` then goes through what came.
    """

    def __init__(self, request: bytes, then: bytes = b"", *, is_lazy: bool) -> None:
        """``then`` is what it says once it was answered."""
        self.request = request
        self.then = then
        self.is_lazy = is_lazy
        self.count = 0
        self.seen: list[int] = []
        self.cursors: list[int] = []
        self.at: dict[int, float] = {}
        self.last_at = 0.0
        self.answered: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.has_ended = False
        self._kept: list[bytes] = []
        self._rest = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Ask."""
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        transport.write(self.request)

    def data_received(self, data: bytes) -> None:
        """Count what came, wherever the network cut it."""
        if not self.answered.done():
            self.answered.set_result(None)
            self.transport.write(self.then)
        # The last chunk is empty (RFC 9112 §7.1)
        self.has_ended = data.endswith(b"0\r\n\r\n")
        self.last_at = time.perf_counter()
        if self.is_lazy:
            self.count += (self._rest + data).count(b"n#")
            self._rest = data[-1:]
            self._kept.append(data)
        else:
            self._read(data)

    def look(self) -> None:
        """Go through what was kept."""
        self._rest = b""
        self._read(b"".join(self._kept))

    def _read(self, data: bytes) -> None:
        text = self._rest + data
        end = 0
        for found in NUMBER.finditer(text):
            end = found.end()
            number, cursor = found.groups()
            if number is None:
                self.cursors.append(int(cursor))
            else:
                self.seen.append(int(number))
                self.at.setdefault(int(number), self.last_at)
        self._rest = text[max(end, len(text) - MARK) :]

    def connection_lost(self, error: Exception | None) -> None:
        """Say that a server closed, and whether it had answered."""
        self.has_ended = True
        if not self.answered.done():
            self.answered.set_exception(ConnectionError("closed without an answer"))

    def close(self) -> None:
        """Hang up."""
        self.transport.close()


def get(host: str, path: str, headers: dict[str, str]) -> bytes:
    """Return a request for an event stream."""
    named = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    head = f"GET {path} HTTP/1.1\r\nHost: {host}\r\nAccept: text/event-stream\r\n"
    return f"{head}{named}\r\n".encode()


def upgrade(host: str, path: str) -> bytes:
    """Return a request for a WebSocket."""
    key = base64.b64encode(os.urandom(16)).decode()
    head = (
        f"GET {path} HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\n"
        f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\n"
        "Sec-WebSocket-Version: 13\r\n\r\n"
    )
    return head.encode()


def frame(message: dict[str, object]) -> bytes:
    """Return a masked text frame; the mask is zero, which leaves the content as is."""
    content = json.dumps(message).encode()
    length = len(content)
    long = length >= SHORT
    size = b"\xfe" + length.to_bytes(2, "big") if long else bytes([0x80 | length])
    return b"\x81" + size + bytes(4) + content


async def connect(
    port: int, requests: list[bytes], then: bytes = b"", *, is_lazy: bool = False
) -> list[Client]:
    """Open all connections and wait until each got an answer."""
    loop = asyncio.get_running_loop()
    gate = asyncio.Semaphore(OPENING)

    async def one(request: bytes) -> Client:
        async with gate:
            _, client = await loop.create_connection(
                lambda: Client(request, then, is_lazy=is_lazy), "127.0.0.1", port
            )
            await asyncio.wait_for(client.answered, ANSWER_SECONDS)
            return client

    return list(await asyncio.gather(*(one(request) for request in requests)))
