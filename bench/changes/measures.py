"""What is measured, each in a function that tells how."""

import statistics
import threading
import time
import uuid
from collections import Counter
from collections.abc import Callable
from typing import Any

import httpx
from celery import current_app
from django.db import connections
from django.db.backends.signals import connection_created

from acciones.steps.dispatch import dispatch

from .ours import Ours
from .processes import Peer, Process, wait_until

THREADS = 8
ROUNDS, RUNS = 3, 120
PACE_SECONDS, PACED = 1 / 20, 120
COUNTED, DOUBLED, KILLED = 20, 20, 50


def throughput(ours: Ours, dbos: Peer, langgraph: Peer) -> dict[str, float]:
    """Return whole runs per second of each side: the median of rounds in turns."""
    seen: dict[str, list[float]] = {"ours": [], "dbos": [], "langgraph": []}
    for _ in range(ROUNDS):
        seen["ours"].append(ours.whole(ours.offers(RUNS), THREADS))
        seen["dbos"].append(dbos.ask("whole", RUNS, THREADS)["seconds"])
        seen["langgraph"].append(langgraph.ask("whole", RUNS, THREADS)["seconds"])
    return {f"{side}_per_s": RUNS / statistics.median(t) for side, t in seen.items()}


def latency(ours: Ours, url: str) -> dict[str, float]:
    """Return ms from a commit to the first byte at the endpoint, paced, in turns."""
    began: dict[str, dict[str, float]] = {"ours": {}, "bare": {}}
    for run in ours.offers(PACED):
        began["ours"][str(run.pk)] = ours.agree(run)
        time.sleep(PACE_SECONDS)
        key = str(uuid.uuid4())
        began["bare"][key] = time.time()
        current_app.send_task("bench.bare", args=(f"{url}/bare", key))
        time.sleep(PACE_SECONDS)
    wait_until(lambda: {*began["ours"], *began["bare"]} <= {*arrivals(url)})
    came = arrivals(url)
    took = {
        side: sorted((came[key][0] - at) * 1000 for key, at in keys.items())
        for side, keys in began.items()
    }
    return {
        "dispatch_p50_ms": statistics.median(took["ours"]),
        "dispatch_p99_ms": took["ours"][int(len(took["ours"]) * 0.99)],
        "bare_p50_ms": statistics.median(took["bare"]),
    }


def arrivals(url: str) -> dict[str, list[float]]:
    """Return when requests of each key came to the endpoint."""
    return dict(httpx.post(f"{url}/log", content=b"").json())


def statements(ours: Ours) -> float:
    """Return the SQL statements of a whole run, in every thread that it uses."""
    counted = Counter[str]()
    lock = threading.Lock()

    def count(
        execute: Callable[..., Any], sql: Any, params: Any, many: bool, context: Any
    ) -> Any:
        with lock:
            counted[str(sql)] += 1
        return execute(sql, params, many, context)

    def watch(connection: Any, **_: Any) -> None:
        if count not in connection.execute_wrappers:
            connection.execute_wrappers.append(count)

    runs = ours.offers(COUNTED)
    connections.close_all()
    connection_created.connect(watch)
    try:
        for run in runs:
            ours.see_through(run)
            dispatch(run.pk)
    finally:
        connection_created.disconnect(watch)
        connections.close_all()
    return counted.total() / COUNTED


def double_effects(ours: Ours, langgraph: Peer, url: str) -> dict[str, float]:
    """Return the effects of runs that were confirmed and approved twice at once."""
    runs = ours.offers(DOUBLED)
    ours.double(runs)
    theirs = langgraph.ask("double", DOUBLED, THREADS)["keys"]
    came = arrivals(url)
    return {
        "double_resume_effects": sum(len(came[str(run.pk)]) for run in runs),
        "double_resume_effects_langgraph": sum(len(came[key]) for key in theirs),
    }


def recovery(ours: Ours, victim: Process, url: str, lease: float) -> float:
    """Return the seconds from the end of a killed worker's lease to the last end."""
    runs = ours.offers(KILLED, slow=True)
    for run in runs:
        ours.see_through(run)
    keys = {str(run.pk) for run in runs}
    wait_until(lambda: keys & {*arrivals(url)})
    victim.kill()
    killed = time.monotonic()
    wait_until(lambda: ours.are_final(runs))
    return max(0.0, time.monotonic() - killed - lease)
