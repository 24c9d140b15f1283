"""The two sides of the comparison: how each is served, asked and written to."""

import json
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Protocol
from uuid import uuid4

from tests.live.servers import ROOT, Web
from tests.live.talk import Talk

from .client import get
from .environment import peer_python


class Writer:
    """A process that writes events as ordered (``orders.py``)."""

    def __init__(self, python: str, module: str, environ: dict[str, str]) -> None:
        self._process = subprocess.Popen(
            [python, "-m", module],
            cwd=ROOT,
            env=os.environ | environ,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def write(self, channel: str, first: int, count: int, **how: Any) -> float:
        """Have events written; returns the seconds that the writing took."""
        assert self._process.stdin
        assert self._process.stdout
        order = {"channel": channel, "first": first, "count": count, **how}
        self._process.stdin.write(json.dumps(order) + "\n")
        self._process.stdin.flush()
        seconds: float = json.loads(self._process.stdout.readline())["seconds"]
        return seconds

    def stop(self) -> None:
        """End it."""
        self._process.kill()
        self._process.wait()


@dataclass
class Peer(Web):
    """The peer's server, told where it stores events."""

    storage: str = "database"

    def environ(self) -> dict[str, str]:
        """Return the same as ours, and the storage."""
        return super().environ() | {"PEER_STORAGE": self.storage}


@dataclass
class Channel:
    """Something to follow: what its writers call it, and how it is asked for."""

    name: str
    path: str
    id: str
    headers: dict[str, str] = field(default_factory=dict)

    def request(self, host: str, after: int | None = None) -> bytes:
        """Return a request for its events, all of them or those after a cursor."""
        cursor = {} if after is None else {"Last-Event-ID": f"{self.id}:{after}"}
        return get(host, self.path, self.headers | cursor)


class Side(Protocol):
    """One of those compared."""

    name: str
    web: Web
    writer: Writer

    def channel(self) -> Channel:
        """Return something new to follow."""


@dataclass
class Maya:
    """Ours: a conversation's events, with one open turn that is written to."""

    web: Web
    writer: Writer
    name: str = "maya"

    def channel(self) -> Channel:
        """Begin a conversation."""
        talk = Talk.begin()
        path = f"/api/conversations/{talk.id}/events"
        return Channel(talk.turn_id, path, talk.id, talk.bearer)


@dataclass
class Eventstream:
    """The peer, with one of its two storages."""

    web: Web
    writer: Writer
    name: str

    def channel(self) -> Channel:
        """Invent a channel: they need no beginning."""
        name = f"c-{uuid4().hex}"
        return Channel(name, f"/es/{name}/", name)


@contextmanager
def serving(web: Web, writer: Writer) -> Iterator[None]:
    """Run a side's server and writer."""
    web.start()
    try:
        yield
    finally:
        writer.stop()
        web.stop()


@contextmanager
def maya(kind: str) -> Iterator[Maya]:
    """Serve Maya."""
    web = Web(
        kind=kind,
        database_url=os.environ["DATABASE_URL"],
        redis_url=os.environ["REDIS_URL"],
        application="maya.asgi:application",
    )
    writer = Writer(web.python, "bench.streaming.write", web.environ())
    with serving(web, writer):
        yield Maya(web, writer)


@contextmanager
def eventstream(kind: str, storage: str) -> Iterator[Eventstream]:
    """Serve django-eventstream, set up as its documentation says."""
    web = Peer(
        kind=kind,
        database_url=os.environ["PEER_DATABASE_URL"],
        redis_url=os.environ["REDIS_URL"],
        application="bench.streaming.peer.application:application",
        settings="bench.streaming.peer.settings",
        python=str(peer_python()),
        storage=storage,
    )
    writer = Writer(web.python, "bench.streaming.peer.write", web.environ())
    with serving(web, writer):
        yield Eventstream(web, writer, f"eventstream ({storage})")
