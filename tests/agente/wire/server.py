"""A model server on a raw socket: it streams and it ends as it is told."""

import asyncio
import json
import socket
import struct
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

PAUSE = 0.005
"""Between pieces, so that each arrives as a piece of its own."""


@dataclass(frozen=True)
class Answer:
    """One answer: its pieces, and whether it ends well.

    ``how`` is ``end`` (a proper last chunk), ``abort`` (TCP reset), ``close`` (the
    connection ends without the last chunk) or a status code.
    """

    pieces: list[str]
    how: str = "end"


@dataclass
class Server:
    """What the server will answer, in turn (the last stays), and what it was asked."""

    answers: list[Answer]
    requests: list[dict[str, Any]] = field(default_factory=list)
    headers: list[str] = field(default_factory=list)
    port: int = 0
    choose: Callable[[dict[str, Any]], Answer | None] = lambda _: None

    @property
    def url(self) -> str:
        """Return the server's origin."""
        return f"http://127.0.0.1:{self.port}"

    def next(self, request: dict[str, Any]) -> Answer:
        """Return the answer to a request."""
        self.requests.append(request)
        chosen = self.choose(request)
        if chosen is not None:
            return chosen
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]


@contextmanager
def serving(server: Server) -> Iterator[Server]:
    """Run the server in a thread until the block ends."""
    ready, ends = threading.Event(), asyncio.Event()
    loops: list[asyncio.AbstractEventLoop] = []

    async def serve() -> None:
        loops.append(asyncio.get_running_loop())
        listening = await asyncio.start_server(
            lambda reader, writer: _handle(server, reader, writer), "127.0.0.1", 0
        )
        server.port = listening.sockets[0].getsockname()[1]
        ready.set()
        await ends.wait()

    thread = threading.Thread(target=lambda: asyncio.run(serve()), daemon=True)
    thread.start()
    assert ready.wait(10)
    try:
        yield server
    finally:
        loops[0].call_soon_threadsafe(ends.set)
        thread.join(10)


async def _handle(
    server: Server, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
) -> None:
    try:
        while await _one(server, reader, writer):
            pass
    except (asyncio.IncompleteReadError, ConnectionError):
        pass
    finally:
        writer.close()


async def _one(
    server: Server, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
) -> bool:
    head = (await reader.readuntil(b"\r\n\r\n")).decode()
    server.headers.append(head)
    lengths = [
        int(line.split(":")[1])
        for line in head.split("\r\n")
        if line.lower().startswith("content-length:")
    ]
    body = json.loads(await reader.readexactly(lengths[0])) if lengths else {}
    answer = server.next(body)
    if answer.how.isdigit():
        writer.write(
            f"HTTP/1.1 {answer.how} Error\r\nContent-Type: application/json\r\n"
            "Content-Length: 2\r\n\r\n{}".encode()
        )
        await writer.drain()
        return True
    writer.write(
        b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
        b"Transfer-Encoding: chunked\r\n\r\n"
    )
    for piece in answer.pieces:
        raw = piece.encode()
        writer.write(f"{len(raw):x}\r\n".encode() + raw + b"\r\n")
        await writer.drain()
        await asyncio.sleep(PAUSE)
    return await _end(answer.how, writer)


async def _end(how: str, writer: asyncio.StreamWriter) -> bool:
    if how == "end":
        writer.write(b"0\r\n\r\n")
        await writer.drain()
        return True
    if how == "abort":
        await asyncio.sleep(PAUSE * 4)
        raw: socket.socket = writer.get_extra_info("socket")
        # Linger zero: the peer sees a reset, not an end
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        writer.transport.abort()
    return False
