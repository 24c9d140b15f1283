"""Closes the way out for changes: inside a rehearsal only reads may leave.

The clients ask before they look up an address or open a connection. A request counts
as a change unless its caller says that it only reads.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from .addresses import Refused

_is_closed: ContextVar[bool] = ContextVar("outgoing_is_closed", default=False)


class Closed(Refused):
    """A change was about to leave where none may; nothing was sent."""


@contextmanager
def closed(rehearsal: bool = True) -> Iterator[None]:
    """Refuse changes inside this block, and in the coroutines started from it.

    Once closed it stays closed: ``closed(False)`` inside another block opens nothing.
    """
    outer = _is_closed.set(_is_closed.get() or rehearsal)
    try:
        yield
    finally:
        _is_closed.reset(outer)


def judge(*, reads: bool) -> None:
    """Raise ``Closed`` for a change inside a closed block."""
    if _is_closed.get() and not reads:
        raise Closed("Es un ensayo: no sale ningún cambio.")
