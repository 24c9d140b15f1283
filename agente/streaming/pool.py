"""The streams' own PostgreSQL connections: few, asynchronous, without the ORM.

A stream asks, gets its rows and gives the connection back, so that thousands of open
streams need no more connections than a handful.
"""

import asyncio
from typing import Any
from weakref import WeakKeyDictionary

from django.conf import settings
from psycopg import AsyncConnection, OperationalError
from psycopg_pool import AsyncConnectionPool, PoolTimeout

MOST_CONNECTIONS = 4
"""A page takes about a millisecond: four connections read thousands a second."""
WAIT_SECONDS = 5
CONNECT_SECONDS = 3

type_of_row = tuple[Any, ...]
_pools: WeakKeyDictionary[
    asyncio.AbstractEventLoop, AsyncConnectionPool[AsyncConnection[type_of_row]]
] = WeakKeyDictionary()


async def rows(query: str, params: dict[str, Any]) -> list[tuple[Any, ...]]:
    """Run one query and return its rows; raises ``psycopg.OperationalError``.

    A restart of PostgreSQL leaves dead connections in the pool: the first failure
    has them all checked, and the query is asked once more.
    """
    pool = await _open_pool()
    try:
        return await _ask(pool, query, params)
    except PoolTimeout:
        raise
    except OperationalError:
        await pool.check()
        return await _ask(pool, query, params)


async def close() -> None:
    """Close this loop's pool; the next query opens a new one."""
    pool = _pools.pop(asyncio.get_running_loop(), None)
    if pool is not None:
        await pool.close()


async def _ask(
    pool: AsyncConnectionPool[AsyncConnection[type_of_row]],
    query: str,
    params: dict[str, Any],
) -> list[type_of_row]:
    async with pool.connection() as connection:
        cursor = await connection.execute(query, params)
        return await cursor.fetchall()


async def _open_pool() -> AsyncConnectionPool[AsyncConnection[type_of_row]]:
    """Return the loop's pool, opened at its first use: Daphne has no lifespan."""
    loop = asyncio.get_running_loop()
    pool = _pools.get(loop)
    if pool is None:
        pool = _pools[loop] = AsyncConnectionPool(
            kwargs={**_address(), "autocommit": True},
            min_size=1,
            max_size=MOST_CONNECTIONS,
            timeout=WAIT_SECONDS,
            name="streams",
            open=False,
        )
    await pool.open()
    return pool


def _address() -> dict[str, Any]:
    """Return libpq's words for Django's database, without Django's own options."""
    database = settings.DATABASES["default"]
    options = {k: v for k, v in database.get("OPTIONS", {}).items() if k != "pool"}
    named = {
        "dbname": database["NAME"],
        "user": database.get("USER"),
        "password": database.get("PASSWORD"),
        "host": database.get("HOST"),
        "port": database.get("PORT"),
    }
    given = {word: value for word, value in named.items() if value}
    return {"connect_timeout": CONNECT_SECONDS, **options, **given}
