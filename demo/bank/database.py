"""The bank's own database: PostgreSQL, one short transaction for each tool call."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
from mcp.shared.exceptions import MCPError
from mcp_types import INTERNAL_ERROR
from psycopg.rows import DictRow, dict_row
from psycopg_pool import ConnectionPool, PoolTimeout

SCHEMA = Path(__file__).with_name("schema.sql")
PREPARING = 4821
"""Advisory lock: two CREATE … IF NOT EXISTS at once collide in the catalogue."""
POOL_SIZE = 8
WAIT_SECONDS = 5

Connection = psycopg.Connection[DictRow]


class Database:
    """A pool of connections, opened when the server starts."""

    def __init__(self, url: str) -> None:
        kwargs: dict[str, Any] = {"row_factory": dict_row, "connect_timeout": 5}
        self._pool: ConnectionPool[Connection] = ConnectionPool(
            url,
            connection_class=psycopg.Connection[DictRow],
            kwargs=kwargs,
            min_size=1,
            max_size=POOL_SIZE,
            timeout=WAIT_SECONDS,
            check=ConnectionPool.check_connection,
            open=False,
        )

    def open(self) -> None:
        """Connect, and create what is missing."""
        self._pool.open(wait=True)
        with self._pool.connection() as db:
            db.execute("SELECT pg_advisory_xact_lock(%s)", (PREPARING,))
            db.execute(SCHEMA.read_bytes())

    def close(self) -> None:
        """Close every connection."""
        self._pool.close()

    @contextmanager
    def transaction(self) -> Iterator[Connection]:
        """Yield a connection whose work is committed whole or not at all.

        A database that fails says nothing about what became of the work, so it is a
        protocol error, which callers take as unknown; a tool's own "no" is a result.
        """
        try:
            with self._pool.connection() as db:
                yield db
        except (psycopg.Error, PoolTimeout) as error:
            message = "El banco no sabe ahora mismo qué ha pasado."
            raise MCPError(code=INTERNAL_ERROR, message=message) from error
