"""The traps that hold threads, connections and requests: none of them is ours.

Each on a real Daphne and a real Uvicorn. Where they were measured: the readers of a
server see a disconnect, hold no thread and no PostgreSQL connection, and a Redis that
froze or a slow database delays nobody who does not need it.
"""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from uuid import uuid4

import pytest
import redis
from celery import current_app
from django.db import connection, transaction

from maya.lib import wake
from tests.live import http
from tests.live.servers import Valkey, Web
from tests.live.talk import Talk
from tests.live.wires import (
    Wire,
    hear,
    jsonl,
    lines,
    open_socket,
    socket,
    sse_of_turn,
    sse_with_bearer,
)

FEW, MANY = 5, 60
SOON_SECONDS = 5.0
HANG_SECONDS = 3.0
"""Far below the minute that a frozen Redis used to cost, far above what it may."""


def eventually(holds: Callable[[], bool]) -> None:
    """Wait a moment for what other processes do."""
    deadline = time.monotonic() + SOON_SECONDS
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.05)


@contextmanager
def opened(web: Web, talk: Talk, count: int) -> Iterator[None]:
    """Hold a number of streams open, each known to have begun."""
    with ExitStack() as streams:
        for number in range(count):
            wire: Wire = (sse_with_bearer, socket, sse_of_turn)[number % 3]
            found = streams.enter_context(wire(web, talk, 0))
            assert next(found) == 1
        yield


def connections_of(web: Web) -> int:
    """Count the PostgreSQL connections that a server holds."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE application_name = %s",
            [web.name],
        )
        [(count,)] = cursor.fetchall()
    return int(count)


@pytest.mark.parametrize(
    "wire", [sse_with_bearer, sse_of_turn, socket, jsonl], ids=lambda w: w.__name__
)
def test_a_disconnect_is_seen(web: Web, talk: Talk, wire: Wire) -> None:
    talk.happen(1)
    eventually(lambda: web.listeners() == 0)
    with wire(web, talk, 0) as found:
        assert next(found) == 1
        assert web.listeners() == 1
    eventually(lambda: web.listeners() == 0)


def test_open_streams_hold_no_thread_and_no_database_connection(
    web: Web, talk: Talk
) -> None:
    talk.happen(1)
    with opened(web, talk, FEW):
        threads, held = web.info.num_threads(), connections_of(web)
    with opened(web, talk, MANY):
        assert web.listeners() == MANY
        assert web.info.num_threads() == threads
        assert connections_of(web) <= held + 1
        # Nor do they starve the pages of connections
        address = f"{web.url}/api/runs?ids={uuid4()}"
        answer = http.get(address, headers=talk.bearer, timeout=SOON_SECONDS)
        assert answer.status_code == 200


def test_a_frozen_redis_hangs_no_request(web: Web, talk: Talk, valkey: Valkey) -> None:
    talk.happen(1)
    body = {
        "sitio": talk.site.public_id,
        "conversacion": talk.id,
        "mensajeId": str(uuid4()),
        "mensaje": "hola",
    }
    with sse_with_bearer(web, talk, 1) as follower:
        valkey.freeze()
        began = time.monotonic()
        with lines(web, talk.bearer, body) as found:
            assert next(found)["valor"] == "pensando"
        with open_socket(web, talk, after=1, token=talk.token) as wire:
            assert hear(wire)["type"] == "opened"
        assert http.get(f"{web.url}/healthz", timeout=HANG_SECONDS).status_code == 200
        assert time.monotonic() - began < HANG_SECONDS
        # And what happened reaches those who were there already
        assert next(follower) == 2


def test_a_slow_database_delays_streams_and_nothing_else(web: Web, talk: Talk) -> None:
    talk.happen(1)
    answers: list[int] = []

    def follow() -> None:
        with sse_with_bearer(web, talk, 0) as found:
            answers.append(next(found))

    followers = [threading.Thread(target=follow) for _ in range(8)]
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("LOCK TABLE acciones_visitor IN ACCESS EXCLUSIVE MODE")
        for follower in followers:
            follower.start()
        time.sleep(0.5)
        began = time.monotonic()
        assert http.get(f"{web.url}/", timeout=SOON_SECONDS).status_code < 500
        assert time.monotonic() - began < SOON_SECONDS
        assert answers == []
    for follower in followers:
        follower.join(SOON_SECONDS)
    assert answers == [1] * len(followers)


def sent(task: str) -> int:
    """Count a task's messages where this process's Celery sends them."""
    queue = redis.Redis.from_url(current_app.conf.broker_url)
    return sum(task.encode() in raw for raw in queue.lrange("celery", 0, -1))


def undone(task: str) -> None:
    """Ask for a task in a transaction that comes to nothing."""
    with transaction.atomic():
        wake.task(task)
        raise RuntimeError


def test_a_task_is_sent_after_commit_alone(talk: Talk) -> None:
    never, once = f"tests.{uuid4()}", f"tests.{uuid4()}"
    with pytest.raises(RuntimeError):
        undone(never)
    with transaction.atomic():
        wake.task(once)
        assert sent(once) == 0
    assert (sent(never), sent(once)) == (0, 1)
