"""A client that takes nothing: it costs little, hurts nobody and is let go."""

import asyncio
import json
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from typing import Any

import pytest

from agente.streaming import answer, sse, websocket
from agente.streaming.hub import Hub
from tests.live.loop import run, store
from tests.live.servers import Web
from tests.live.talk import Talk
from tests.live.wires import hear, open_socket, sse_with_bearer

PIECE = "x" * 60_000
PIECES = 400
PRODUCED = len(PIECE) * PIECES
ALLOWED = 6 * 1024 * 1024
"""What a process may grow by, the garbage of reading 24 MB included."""


@contextmanager
def stopped(web: Web, talk: Talk) -> Iterator[socket.socket]:
    """Ask for a stream and never read a byte of it."""
    with socket.create_connection(("127.0.0.1", web.port)) as wire:
        head = [
            f"GET /api/conversations/{talk.id}/events HTTP/1.1",
            f"Host: {web.host}",
            f"Authorization: Bearer {talk.token}",
        ]
        wire.sendall("\r\n".join([*head, "", ""]).encode())
        yield wire


def produce(talk: Talk) -> None:
    """Write far more than any buffer holds."""
    for _ in range(PIECES):
        talk.answer(PIECE)


def test_a_reader_that_stopped_costs_little_and_delays_nobody(
    web: Web, talk: Talk
) -> None:
    with sse_with_bearer(web, talk, 0) as found:
        talk.happen(10)
        assert list(islice(found, 10)) == list(range(1, 11))
    before = web.info.memory_info().rss
    with stopped(web, talk), stopped(web, talk):
        produce(talk)
        last = talk.last_position()
        with sse_with_bearer(web, talk, last - 1) as found:
            assert next(found) == last
            talk.happen(1)
            assert next(found) == last + 1
        grown = web.info.memory_info().rss - before
    assert PRODUCED > 3 * ALLOWED
    assert grown < ALLOWED


def test_a_socket_that_acknowledges_nothing_costs_little(web: Web, talk: Talk) -> None:
    with open_socket(web, talk, after=0, token=talk.token) as wire:
        hear(wire)
        before = web.info.memory_info().rss
        produce(talk)
        assert web.info.memory_info().rss - before < ALLOWED


class Wire:
    """An ASGI server's side of a connection, taking as much as it likes."""

    def __init__(self, talk: Talk, *heard: dict[str, Any]) -> None:
        self.scope = {
            "type": "http",
            "method": "GET",
            "path_params": {"id": talk.id},
            "query_string": b"after=0",
            "headers": [
                (b"host", b"127.0.0.1"),
                (b"authorization", f"Bearer {talk.token}".encode()),
            ],
        }
        self.heard = list(heard)
        self.sent: list[dict[str, Any]] = []
        self.is_stuck = False
        self.has_sent = asyncio.Event()

    async def receive(self) -> dict[str, Any]:
        """Say what the client said, then nothing for ever."""
        if not self.heard:
            await asyncio.get_running_loop().create_future()
        return self.heard.pop(0)

    async def send(self, message: dict[str, Any]) -> None:
        """Take a message, or hold its sender as a full buffer does."""
        if self.is_stuck:
            await asyncio.get_running_loop().create_future()
        self.sent.append(message)
        self.has_sent.set()

    async def until(self, kind: str, count: int) -> None:
        """Wait until a number of messages of a kind were sent."""
        while len([one for one in self.sent if one["type"] == kind]) < count:
            self.has_sent.clear()
            await self.has_sent.wait()


def test_a_client_that_takes_nothing_is_closed(
    talk: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answer, "STALL_SECONDS", 0.2)
    wire = Wire(talk)

    async def stall() -> None:
        stream = asyncio.ensure_future(
            sse.of_conversation(wire.scope, wire.receive, wire.send)
        )
        await wire.until("http.response.body", 2)
        wire.is_stuck = True
        await store(talk.happen, 1)
        await stream
        assert not Hub.here()._channels

    run(stall())
    assert wire.sent[-1]["more_body"]


def test_a_socket_that_never_acknowledges_is_closed(
    talk: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(websocket, "ACK_SECONDS", 0.2)
    for _ in range(8):
        talk.answer(PIECE)
    opening = json.dumps({"type": "open", "after": 0})
    wire = Wire(
        talk,
        {"type": "websocket.connect"},
        {"type": "websocket.receive", "text": opening},
    )

    async def wait() -> None:
        socket = asyncio.ensure_future(
            websocket.conversation(wire.scope, wire.receive, wire.send)
        )
        await wire.until("websocket.close", 1)
        wire.heard.append({"type": "websocket.disconnect"})
        socket.cancel()
        assert not Hub.here()._channels

    run(wait())
    assert json.loads(wire.sent[-2]["text"])["code"] == "too_far_behind"
    assert wire.sent[-1]["code"] == 4408
