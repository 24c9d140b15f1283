"""A PostgreSQL of the bench's own, that lets in a connection for each turn."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg

from maya.lib.servers import ensure_database
from maya.lib.services import services

CONNECTIONS = 300


@contextmanager
def wide_database(folder: Path, name: str) -> Iterator[str]:
    """Run a server with enough connections; yields the address of an empty database."""
    os.environ.pop("DATABASE_URL", None)
    for _ in range(2):
        # The setting needs a restart, so the first time is for the setting alone
        with services(folder) as running:
            url = running.environ["DATABASE_URL"]
            with psycopg.connect(url, autocommit=True) as server:
                [(most,)] = server.execute("SHOW max_connections").fetchall()
                server.execute(f"ALTER SYSTEM SET max_connections = {CONNECTIONS}")
                server.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
            if int(most) == CONNECTIONS:
                yield ensure_database(url, name)
                return
