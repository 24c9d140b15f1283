"""One background event loop per process, for kept network clients.

Steps and tasks are synchronous, executors are asynchronous. A loop that lives as
long as the process lets MCP and HTTP clients stay open across calls (a connect
costs 20 times a call) and starts after a fork, never before.
"""

import asyncio
import os
import threading
from collections.abc import Coroutine
from typing import Any, TypeVar

Result = TypeVar("Result")

_lock = threading.Lock()
_loop: asyncio.AbstractEventLoop | None = None
_owner = 0


def loop() -> asyncio.AbstractEventLoop:
    """Return this process's background loop, started on first use."""
    global _loop, _owner
    with _lock:
        if _loop is None or _owner != os.getpid():
            _loop, _owner = asyncio.new_event_loop(), os.getpid()
            threading.Thread(
                target=_loop.run_forever, name="background-loop", daemon=True
            ).start()
        return _loop


def run(work: Coroutine[Any, Any, Result], *, timeout: float | None = None) -> Result:
    """Run a coroutine on the background loop and wait for its result.

    ``timeout`` is in seconds; past it ``TimeoutError`` is raised and the work is
    cancelled.
    """
    future = asyncio.run_coroutine_threadsafe(work, loop())
    try:
        return future.result(timeout)
    except TimeoutError:
        future.cancel()
        raise
