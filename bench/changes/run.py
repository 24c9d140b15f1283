"""Measures all sides; ``bench/ledger.py`` has set the table and the environment."""

import json
import os
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import TypeVar

import django
from django.conf import settings

django.setup()

from . import measures  # noqa: E402
from .ours import Ours  # noqa: E402
from .processes import (  # noqa: E402
    Peer,
    Process,
    end_in_good_order,
    worker,
)

WARM = 24
Kind = TypeVar("Kind", bound=Process)
NAMES = (
    *("runs_vs_dbos", "runs_vs_langgraph", "dispatch_p50_ms", "dispatch_p99_ms"),
    *("dispatch_p50_vs_celery", "recover_s_after_lease", "sql_per_run"),
    "double_resume_effects",
)
GOALS = {
    "runs_vs_dbos": "≥ 5",
    "runs_vs_langgraph": "≥ 3",
    "dispatch_p50_ms": "≤ 5",
    "dispatch_p99_ms": "≤ 20",
    "dispatch_p50_vs_celery": "≤ 1.5",
    "recover_s_after_lease": "≤ 3",
    "double_resume_effects": "20",
}


def main() -> None:
    """Measure, and print a table and one JSON object."""
    end_in_good_order()
    url = f"http://127.0.0.1:{os.environ['BENCH_PORT']}"
    with ExitStack() as stack:
        figures = measure(stack, url)
    for name, value in figures.items():
        print(f"{name:32} {value:10.2f}   {GOALS.get(name, '')}")
    print(json.dumps({name: figures[name] for name in NAMES}))


def measure(stack: ExitStack, url: str) -> dict[str, float]:
    """Start everybody, warm them up, and measure one thing after the other."""

    def start(process: Kind) -> Kind:
        stack.callback(process.kill)
        return process

    folder, port = Path(os.environ["BENCH_FOLDER"]), os.environ["BENCH_PORT"]
    start(Process([sys.executable, "-m", "bench.changes.handler", port], {}))
    dbos, langgraph = (
        start(Peer(Path(os.environ["BENCH_PEERS"]), script, database, f"{url}/x"))
        for script, database in (
            ("dbos_side.py", os.environ["BENCH_DBOS_URL"]),
            ("langgraph_side.py", os.environ["BENCH_LANGGRAPH_URL"]),
        )
    )
    first = start(worker(folder, "first", {}))
    ours = Ours(url)
    for side in (dbos, langgraph):
        side.ask("whole", WARM, measures.THREADS)
    ours.whole(ours.offers(WARM), measures.THREADS)
    figures = measures.throughput(ours, dbos, langgraph)
    figures |= measures.latency(ours, url)
    figures |= measures.double_effects(ours, langgraph, url)
    second = start(worker(folder, "second", {}))
    ours.whole(ours.offers(WARM), measures.THREADS)
    lease = settings.MAYA_LEASE_SECONDS
    figures["recover_s_after_lease"] = measures.recovery(ours, first, url, lease)
    second.kill()
    figures["sql_per_run"] = measures.statements(ours)
    return figures | {
        "runs_vs_dbos": figures["ours_per_s"] / figures["dbos_per_s"],
        "runs_vs_langgraph": figures["ours_per_s"] / figures["langgraph_per_s"],
        "dispatch_p50_vs_celery": figures["dispatch_p50_ms"] / figures["bare_p50_ms"],
    }


if __name__ == "__main__":
    main()
