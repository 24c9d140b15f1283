"""Changes side by side with DBOS and LangGraph: ``make bench NAME=ledger``.

All on one PostgreSQL with synchronous commits, against one endpoint on loopback, in
turns. A whole run is confirmed, approved, dispatched over HTTP and done; at DBOS it
is a workflow that receives its approval and makes one HTTP step, at LangGraph an
interrupt, a resume and one tool call. Prints a table for people and, last, one JSON
object.

This file sets the table: databases, a Redis, and the peers in an environment of their
own. ``bench/changes/run.py`` measures.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from bench.changes.environment import install_peers, new_database
from bench.changes.processes import end_in_good_order
from tests.live.servers import ROOT, Valkey, free_port


def main() -> int:
    """Prepare all sides and have them measured."""
    end_in_good_order()
    peers, server = install_peers(), os.environ["DATABASE_URL"]
    with tempfile.TemporaryDirectory() as folder:
        valkey, port = Valkey(folder=Path(folder)), free_port()
        environ = os.environ | {
            "DJANGO_SETTINGS_MODULE": "bench.changes.settings",
            "DATABASE_URL": new_database(server, "bench_ledger"),
            "REDIS_URL": valkey.url,
            "MAYA_DEV_ENDPOINTS": f"http://127.0.0.1:{port}",
            "MAYA_RETRY_DELAYS": "0,0",
            "MAYA_LEASE_SECONDS": "3",
            "MAYA_HTTP_SECONDS": "2",
            "MAYA_LOG": "ERROR",
            "BENCH_DBOS_URL": new_database(server, "bench_dbos"),
            "BENCH_LANGGRAPH_URL": new_database(server, "bench_langgraph"),
            "BENCH_PEERS": str(peers),
            "BENCH_PORT": str(port),
            "BENCH_FOLDER": folder,
        }
        valkey.start()
        try:
            for words in (["django", "migrate", "-v0"], ["bench.changes.run"]):
                code = wait_for([sys.executable, "-m", *words], environ)
                if code:
                    return code
        finally:
            valkey.stop()
    return 0


def wait_for(command: list[str], environ: dict[str, str]) -> int:
    """Run a command to its end; it ends in good order when we are told to."""
    process = subprocess.Popen(command, env=environ, cwd=ROOT)
    try:
        return process.wait()
    finally:
        process.terminate()
        process.wait()


if __name__ == "__main__":
    sys.exit(main())
