"""Measures both sides on both servers and prints what came out."""

import asyncio
import json
import os
import statistics
import sys
from collections.abc import Awaitable, Callable
from contextlib import ExitStack
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

import django

django.setup()

from django.db import connection  # noqa: E402

from acciones.models import Conversation  # noqa: E402
from tests.live.servers import Valkey  # noqa: E402
from tests.live.talk import Talk  # noqa: E402

from . import losses, measures  # noqa: E402
from .client import frame, get, upgrade  # noqa: E402
from .sides import Maya, Side, eventstream, maya  # noqa: E402

KINDS = ("uvicorn", "daphne")
ROUNDS = 9
"""Of the replay, which takes a few milliseconds and is easily disturbed."""
Figures = dict[str, Any]


async def compare(sides: list[Side]) -> dict[str, Figures]:
    """Measure every side, in turns."""
    figures: dict[str, Figures] = {side.name: {} for side in sides}
    _progress(f"{sides[0].web.kind}: replay")
    histories = {side.name: await measures.fill(side) for side in sides}
    replays: dict[str, list[float]] = {side.name: [] for side in sides}
    for _ in range(ROUNDS):
        for side in sides:
            rate = await measures.replay(side, histories[side.name])
            replays[side.name].append(rate)
    for side in sides:
        _progress(f"{side.web.kind}: {side.name}, many followers")
        figures[side.name]["replay"] = statistics.median(replays[side.name])
        figures[side.name] |= asdict(await measures.fan_out(side))
    for side in sides:
        _progress(f"{side.web.kind}: {side.name}, many writers")
        figures[side.name] |= asdict(await measures.writers(side))
    return figures


async def ours_alone(side: Maya, valkey: Valkey) -> Figures:
    """Measure what only ours is asked for."""
    talk = await asyncio.to_thread(Talk.begin)
    conversations = await asyncio.to_thread(_conversations, talk, measures.MANY)
    host = side.web.host
    streams = [
        get(host, f"/api/conversations/{id}/events", talk.bearer)
        for id in conversations
    ]
    sockets = [upgrade(host, f"/ws/conversations/{id}") for id in conversations]
    opening = frame({"type": "open", "after": 0, "token": talk.token})
    held = _connections_of(side)
    return {
        "sse": await measures.idle(side, streams, b"", held),
        "ws": await measures.idle(side, sockets, opening, held),
        "restart_missing": await losses.redis_restart(side, valkey),
        "stopped_mib": await losses.stopped_reader(side),
    }


def _progress(text: str) -> None:
    print(f"· {text}", file=sys.stderr, flush=True)


def _conversations(talk: Talk, count: int) -> list[str]:
    new = [
        Conversation(site=talk.site, visitor=talk.visitor, position=0)
        for _ in range(count)
    ]
    return [str(one.id) for one in Conversation.objects.bulk_create(new)]


def _connections_of(side: Maya) -> Callable[[], Awaitable[int]]:
    def count() -> int:
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT count(*) FROM pg_stat_activity WHERE application_name = %s",
                [side.web.name],
            )
            [(found,)] = cursor.fetchall()
        return int(found)

    return partial(asyncio.to_thread, count)


def measure(kind: str, valkey: Valkey) -> tuple[dict[str, Figures], Figures]:
    """Measure everything on one server."""
    with ExitStack() as running:
        ours = running.enter_context(maya(kind))
        sides: list[Side] = [
            ours,
            running.enter_context(eventstream(kind, "database")),
            running.enter_context(eventstream(kind, "redis")),
        ]
        compared = asyncio.run(compare(sides))
    # Alone on the machine, and fresh: memory is measured here
    with maya(kind) as ours:
        return compared, asyncio.run(ours_alone(ours, valkey))


def print_table(kind: str, compared: dict[str, Figures], alone: Figures) -> None:
    """Print one server's figures for people."""
    print(f"\n{kind}")
    head = ("", "replay/s", "last of 200", "CPU/delivery", "8 writers/s")
    print("{:24}{:>10}{:>14}{:>14}{:>14}  missing, twice, backward".format(*head))
    for name, one in compared.items():
        print(
            f"{name:24}{one['replay']:>10,.0f}{one['last_seconds'] * 1e3:>11.1f} ms"
            f"{one['cpu_seconds'] * 1e6:>11.1f} µs{one['rate']:>14,.0f}"
            f"  {one['missing']}, {one['duplicates']}, {one['backward']}"
            + (f"; lost in the fan-out: {one['lost']}" if one["lost"] else "")
        )
    sse, ws = alone["sse"], alone["ws"]
    print(f"idle: SSE {sse.kib_each:.1f} KiB, WebSocket {ws.kib_each:.1f} KiB each")
    for name, one in (("SSE", sse), ("WebSocket", ws)):
        print(
            f"from {measures.FEW} to {measures.MANY} {name}: {one.more_threads:+} "
            f"threads, {one.more_connections:+} PostgreSQL connections"
        )
    print(f"a reader that stopped, 250 MiB produced: {alone['stopped_mib']:.1f} MiB")
    print(f"missing 3 s after Redis restarts: {alone['restart_missing']}", flush=True)


def figures(measured: dict[str, tuple[dict[str, Figures], Figures]]) -> Figures:
    """Return the figures by name; of two servers' the worse one."""

    def ratio(name: str) -> list[float]:
        return [
            compared["maya"][name] / compared["eventstream (database)"][name]
            for compared, _ in measured.values()
        ]

    ours = [compared["maya"] for compared, _ in measured.values()]
    alone = [figure for _, figure in measured.values()]
    idles = [figure[name] for figure in alone for name in ("sse", "ws")]
    return {
        "replay_vs_eventstream": round(min(ratio("replay")), 2),
        "last_of_200_vs_eventstream": round(max(ratio("last_seconds")), 3),
        "cpu_per_delivery_vs_eventstream": round(max(ratio("cpu_seconds")), 3),
        "writers8_rate_vs_eventstream": round(min(ratio("rate")), 2),
        "writers8_missing": sum(one["missing"] for one in ours),
        "writers8_duplicates": sum(one["duplicates"] for one in ours),
        "writers8_backward": sum(one["backward"] for one in ours),
        "kib_per_idle_sse": round(max(one["sse"].kib_each for one in alone), 1),
        "kib_per_idle_ws": round(max(one["ws"].kib_each for one in alone), 1),
        "threads_per_500_streams": max(one.more_threads for one in idles),
        "pg_connections_per_500_streams": max(one.more_connections for one in idles),
        **{
            f"stopped_reader_mib_{kind}": round(figure["stopped_mib"], 2)
            for kind, (_, figure) in measured.items()
        },
        "after_redis_restart_missing": sum(one["restart_missing"] for one in alone),
    }


def main() -> None:
    """Measure on each server, print as it goes."""
    port, folder = os.environ["BENCH_VALKEY"].split(":", 1)
    valkey = Valkey(port=int(port), folder=Path(folder))
    valkey.start()
    try:
        measured = {}
        for kind in KINDS:
            measured[kind] = measure(kind, valkey)
            print_table(kind, *measured[kind])
        print(json.dumps(figures(measured)))
    finally:
        valkey.stop()


if __name__ == "__main__":
    main()
