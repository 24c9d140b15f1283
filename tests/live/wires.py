"""Each way to follow a conversation, seen as a client sees it: positions, in order."""

import json
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from websockets.sync.client import ClientConnection, connect

from . import http
from .servers import Web
from .talk import Talk

SECONDS = 10
Positions = Iterator[int]
Wire = Callable[[Web, Talk, int], AbstractContextManager[Positions]]


@contextmanager
def sse_with_bearer(web: Web, talk: Talk, after: int) -> Iterator[Positions]:
    """A conversation's SSE as fetch reads it: a header, and the cursor in the query."""
    address = f"{web.url}/api/conversations/{talk.id}/events?after={after}"
    with events(address, talk.bearer) as found:
        yield (int(event["id"].rpartition(":")[2]) for event in found)


@contextmanager
def sse_with_cookie(web: Web, talk: Talk, after: int) -> Iterator[Positions]:
    """The same as ``EventSource`` reads it: a cookie, and the cursor in a header."""
    address = f"{web.url}/api/conversations/{talk.id}/events"
    headers = talk.cookie | {"Sec-Fetch-Site": "same-origin"}
    if after:
        headers["Last-Event-ID"] = f"{talk.id}:{after}"
    with events(address, headers) as found:
        yield (json.loads(event["data"])["position"] for event in found)


@contextmanager
def sse_of_turn(web: Web, talk: Talk, after: int) -> Iterator[Positions]:
    """A turn's SSE; with one turn alone, its seq is the position."""
    address = f"{web.url}/api/runs/{talk.turn_id}/events"
    cursor = {"Last-Event-ID": f"{talk.turn_id}:{after}"}
    with events(address, talk.bearer | cursor) as found:
        yield (int(event["id"].removeprefix(f"{talk.turn_id}:")) for event in found)


@contextmanager
def socket(web: Web, talk: Talk, after: int) -> Iterator[Positions]:
    """A WebSocket that says where it is, and acknowledges."""
    with open_socket(web, talk, after=after, token=talk.token) as wire:
        yield _positions_of(wire)


@contextmanager
def jsonl(web: Web, talk: Talk, after: int) -> Iterator[Positions]:
    """The agent's lines, resumed."""
    body = {"sitio": talk.site.public_id, "conversacion": talk.id, "despues": after}
    with lines(web, talk.bearer, body) as found:
        yield (line["position"] for line in found if "position" in line)


WIRES: list[Wire] = [sse_with_bearer, sse_with_cookie, sse_of_turn, socket, jsonl]


@contextmanager
def events(address: str, headers: dict[str, str]) -> Iterator[Iterator[dict[str, str]]]:
    """Read an event stream as WHATWG says; comments and ``retry`` are left out."""
    with http.stream("GET", address, headers=headers) as answer:
        assert answer.status_code == 200, answer.read()
        yield _events_in(answer.iter_lines())


def _events_in(text: Iterator[str]) -> Iterator[dict[str, str]]:
    event: dict[str, str] = {}
    for line in text:
        if line == "" and "data" in event:
            yield event
        if line == "":
            event = {}
            continue
        name, _, value = line.partition(": ")
        if name in ("id", "event", "data"):
            event[name] = value


@contextmanager
def lines(
    web: Web, headers: dict[str, str], body: dict[str, Any]
) -> Iterator[Iterator[dict[str, Any]]]:
    """Post to the agent and read its lines."""
    with http.stream(
        "POST", f"{web.url}/api/agente", headers=headers, json=body
    ) as answer:
        assert answer.status_code == 200, answer.read()
        assert answer.headers["content-type"].startswith("application/x-ndjson")
        yield (json.loads(line) for line in answer.iter_lines())


@contextmanager
def open_socket(
    web: Web, talk: Talk, headers: dict[str, str] | None = None, **opening: Any
) -> Iterator[ClientConnection]:
    """Open a WebSocket and say the first word."""
    address = f"{web.socket_url}/ws/conversations/{talk.id}"
    with connect(address, additional_headers=headers, open_timeout=SECONDS) as wire:
        wire.send(json.dumps({"type": "open", **opening}))
        yield wire


def hear(wire: ClientConnection) -> dict[str, Any]:
    """Return the next message of a WebSocket."""
    message: dict[str, Any] = json.loads(wire.recv(timeout=SECONDS))
    return message


def _positions_of(wire: ClientConnection) -> Positions:
    while True:
        message = hear(wire)
        if "payload" in message:
            wire.send(json.dumps({"type": "ack", "position": message["position"]}))
            yield message["position"]
