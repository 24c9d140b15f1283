"""Runs database work for asynchronous code, in a thread that gives everything back."""

from collections.abc import Callable
from typing import ParamSpec, TypeVar

from asgiref.sync import sync_to_async
from django.db import connections

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


async def in_thread(
    work: Callable[Arguments, Result], *args: Arguments.args, **kwargs: Arguments.kwargs
) -> Result:
    """Run synchronous code in a worker thread; its connection returns to the pool.

    Outside a request nobody closes a thread's connection, so a handful of threads
    would hold the whole pool.
    """

    def job() -> Result:
        try:
            return work(*args, **kwargs)
        finally:
            connections.close_all()

    return await sync_to_async(job, thread_sensitive=False)()
