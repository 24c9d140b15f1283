"""Where a worker can be killed: before and after each write that the ledger makes.

A point is named for the function that writes, for example ``before claim.begin``.
The environment says which one is the last of this process (``FAULT_POINT``, at its
``FAULT_TURN``-th time), and where to leave word of it (``FAULT_LOG``).
"""

import os
import re
import signal
import sys
from collections import Counter
from collections.abc import Callable
from typing import Any

WRITES = re.compile(r"\b(INSERT INTO|UPDATE|DELETE FROM)\b")
# What runs for everybody is not who writes
PLUMBING = {"acciones.events", "acciones.models.secret", "acciones.audit"}
_reached = Counter[str]()


def watch(connection: Any, **_: Any) -> None:
    """Stand around every statement of a connection."""
    if around not in connection.execute_wrappers:
        connection.execute_wrappers.append(around)


def around(
    execute: Callable[..., Any], sql: Any, params: Any, many: bool, context: Any
) -> Any:
    """Run a statement; a write has a point before it and one after."""
    writer = _writer() if WRITES.search(str(sql)) else ""
    if not writer:
        return execute(sql, params, many, context)
    reach(f"before {writer}")
    result = execute(sql, params, many, context)
    reach(f"after {writer}")
    return result


def _writer() -> str:
    """Return ``module.function`` of the ledger's code that makes the statement."""
    frame = sys._getframe(2)
    while frame is not None:
        module = str(frame.f_globals.get("__name__"))
        if module.startswith("acciones.") and module not in PLUMBING:
            return f"{module.rpartition('.')[2]}.{frame.f_code.co_name.strip('_')}"
        if frame.f_back is None:
            break
        frame = frame.f_back
    return ""


def reach(point: str) -> None:
    """End the process here if this is the point."""
    _reached[point] += 1
    tell(point)
    here = point == os.environ.get("FAULT_POINT")
    if here and _reached[point] == int(os.environ["FAULT_TURN"]):
        tell(f"died {point}")
        os.kill(os.getpid(), signal.SIGKILL)


def tell(word: str) -> None:
    """Leave word, in one write that no death can tear."""
    path = os.environ.get("FAULT_LOG")
    if path:
        descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        os.write(descriptor, f"{word}\n".encode())
        os.close(descriptor)
