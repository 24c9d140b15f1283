"""A turn's price beside two agent libraries: ``make bench NAME=turns``.

The same scripted conversation on all sides: a hand-off, three tools, five streamed
model requests and an answer in twenty deltas, from a fake model without latency. The
libraries keep nothing. Maya stores the message, every attempt, call, piece of
evidence, the proposal and every event in PostgreSQL, and publishes drafts to Redis.

Processor time is of the process that runs the turns, all threads, 200 turns at once,
in rounds that alternate between the sides; what PostgreSQL spends on top stands in the
table. Memory is the growth of that process while all 200 are in the middle of their
answer. The first delta is timed from the model's first chunk to its arrival at a
reader of Redis, with 50 turns in flight on one worker and a model at a model's pace.
"""

import json
import os
import statistics
import subprocess
import sys
import threading
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import redis

from bench.talking.database import wide_database
from bench.talking.processes import FOLDER, Side, database_seconds, install_peers
from tests.live.servers import ROOT, Valkey

TURNS = 200
ROUNDS = 2
AT_ONCE, EACH = 50, 6
THINK, GAP = 0.8, 0.05
"""Seconds before a model's first chunk, and between its chunks."""
SETTINGS = "tests.settings"
OURS, PYDANTIC, LLAMA = "maya", "pydantic-ai Agent", "LlamaIndex AgentWorkflow"


def main() -> int:
    """Prepare the sides, have them measured, print what came out."""
    python = install_peers()
    with wide_database(FOLDER, "bench_turns") as url, TemporaryDirectory() as folder:
        valkey = Valkey(folder=Path(folder))
        valkey.start()
        environ = {
            "DATABASE_URL": url,
            "REDIS_URL": valkey.url,
            "DJANGO_SETTINGS_MODULE": SETTINGS,
            "MAYA_DB_POOL": str(TURNS + 20),
        }
        migrate = [sys.executable, "-m", "django", "migrate", "-v", "0"]
        subprocess.run(migrate, check=True, cwd=ROOT, env=os.environ | environ)
        sides = [
            Side(PYDANTIC, python, "bench.talking.peer.pydantic_agent", {}),
            Side(LLAMA, python, "bench.talking.peer.llamaindex", {}),
            Side(OURS, sys.executable, "bench.talking.maya", environ),
        ]
        kilobytes = {side.name: _memory(side) for side in sides}
        milliseconds, database = _cpu(sides, environ["DATABASE_URL"])
        waits, load = _first_deltas(sides[-1], valkey.url)
        for side in sides:
            side.end()
        valkey.stop()
    _print(milliseconds, kilobytes, database, waits, load)
    return 0


def _memory(side: Side) -> float:
    _progress(f"{side.name}: memory")
    return float(side.order("memory", turns=TURNS)["kb"]) / TURNS


def _cpu(sides: list[Side], url: str) -> tuple[dict[str, float], float]:
    """Return each side's milliseconds a turn, and PostgreSQL's for ours."""
    spent: dict[str, list[float]] = {side.name: [] for side in sides}
    database = []
    for number in range(ROUNDS):
        for side in sides:
            _progress(f"{side.name}: processor, round {number + 1} of {ROUNDS}")
            before = database_seconds(url)
            seconds = side.order("cpu", turns=TURNS)["seconds"]
            spent[side.name].append(seconds * 1000 / TURNS)
            if side.name == OURS:
                database.append((database_seconds(url) - before) * 1000 / TURNS)
    medians = {name: statistics.median(rounds) for name, rounds in spent.items()}
    return medians, statistics.median(database)


def _first_deltas(side: Side, url: str) -> tuple[list[float], dict[str, Any]]:
    """Return the milliseconds of each turn's first delta, and the worker's load."""
    _progress(f"{side.name}: first deltas")
    heard: list[float] = []
    # Nobody speaks for a while at first, and that is no error
    client = redis.Redis.from_url(url, socket_timeout=None)
    channel = client.pubsub(ignore_subscribe_messages=True)  # type: ignore[no-untyped-call]
    channel.subscribe("maya:draft")

    def listen() -> None:
        for message in channel.listen():
            now = time.monotonic_ns()
            told = json.loads(message["data"])
            if told.get("offset") == 0:
                heard.append((now - int(told["text"].split()[0])) / 1e6)

    threading.Thread(target=listen, daemon=True).start()
    began = time.monotonic()
    load = side.order("paced", at_once=AT_ONCE, rounds=EACH, think=THINK, gap=GAP)
    load["busy"] = load["seconds"] / (time.monotonic() - began)
    if len(heard) != AT_ONCE * EACH:
        raise RuntimeError(f"{len(heard)} first deltas of {AT_ONCE * EACH}")
    return sorted(heard), load


def _print(
    milliseconds: dict[str, float],
    kilobytes: dict[str, float],
    database: float,
    waits: list[float],
    load: dict[str, Any],
) -> None:
    print(f"{TURNS} turns at once, {os.cpu_count()} cores")
    print(f"{'':<26}{'CPU ms/turn':>12}{'kB/turn':>9}{'ours / theirs':>15}")
    for name, spent in milliseconds.items():
        ratio = f"{milliseconds[OURS] / spent:.2f}" if name != OURS else ""
        print(f"{name:<26}{spent:>12.1f}{kilobytes[name]:>9.0f}{ratio:>15}")
    print(f"{'  and PostgreSQL for it':<26}{database:>12.1f}")
    p50, p99 = waits[len(waits) // 2], waits[int(len(waits) * 0.99)]
    print(
        f"First delta, {AT_ONCE} turns on one worker ({load['busy']:.0%} of a core):"
        f" p50 {p50:.1f} ms, p99 {p99:.1f} ms, worst {waits[-1]:.1f} ms"
    )
    figures = {
        "cpu_vs_pydantic_agent": round(milliseconds[OURS] / milliseconds[PYDANTIC], 2),
        "cpu_vs_llamaindex": round(milliseconds[OURS] / milliseconds[LLAMA], 2),
        "kb_per_concurrent_turn": round(kilobytes[OURS]),
        "first_delta_p99_ms": round(p99, 1),
    }
    print(json.dumps(figures))


def _progress(text: str) -> None:
    print(f"· {text}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
