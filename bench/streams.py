"""Streams side by side with django-eventstream: ``make bench NAME=streams``.

On Daphne and on Uvicorn, one process each, on the same PostgreSQL (with synchronous
commits) and the same Redis, in turns. Every client asks for the conversation's stream,
the one that the browser reads. Prints a table for people and, last, one JSON object;
where both servers give a figure, the object holds the worse one.

This file sets the table: databases, a Redis that may be restarted, and the peer in an
environment of its own. ``bench/streaming/run.py`` measures.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from bench.streaming.environment import (
    install_peer,
    migrate,
    new_database,
    wide_database,
)
from tests.live.servers import Valkey

OURS, PEERS = "tests.settings", "bench.streaming.peer.settings"


def main() -> int:
    """Prepare both sides and have them measured."""
    peer = install_peer()
    with wide_database() as server, tempfile.TemporaryDirectory() as folder:
        valkey = Valkey(folder=Path(folder))
        environ = {
            "DATABASE_URL": new_database(server, "bench_streams"),
            "PEER_DATABASE_URL": new_database(server, "bench_streams_peer"),
            "REDIS_URL": valkey.url,
            "BENCH_VALKEY": f"{valkey.port}:{folder}",
        }
        migrate(sys.executable, OURS, environ)
        peers = environ | {"DATABASE_URL": environ["PEER_DATABASE_URL"]}
        migrate(peer, PEERS, peers)
        command = [sys.executable, "-m", "bench.streaming.run"]
        settings = {"DJANGO_SETTINGS_MODULE": OURS}
        return subprocess.run(command, env=os.environ | settings | environ).returncode


if __name__ == "__main__":
    sys.exit(main())
