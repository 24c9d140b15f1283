"""Runs what is asynchronous from a plain test, and leaves no loop's things behind."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from django.db import connections

from agente.streaming.hub import Hub

T = TypeVar("T")
PATIENCE_SECONDS = 20


def run(work: Coroutine[Any, Any, T]) -> T:
    """Return what a coroutine returns; its hub and pool are closed afterwards."""

    async def whole() -> T:
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                return await work
        finally:
            await Hub.here().close()

    return asyncio.run(whole())


async def store(write: Callable[..., T], *args: Any) -> T:
    """Write to the database from a loop, as another process would at that moment."""

    def apart() -> T:
        try:
            return write(*args)
        finally:
            connections.close_all()

    return await asyncio.to_thread(apart)
