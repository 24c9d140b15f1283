"""A process that writes events when it is told to, and says how long it took.

One JSON object a line comes in: ``{"channel", "first", "count", "threads",
"pause", "padding"}``; ``{"seconds"}`` goes out.
"""

import json
import sys
import threading
import time
from collections.abc import Callable

from django.db import connections

Tell = Callable[[str, str], None]
"""Takes a channel, and a text to be told in an event of it."""


def obey(tell: Tell) -> None:
    """Write what each line orders, until there are no more."""
    for line in sys.stdin:
        order = json.loads(line)
        print(json.dumps({"seconds": _write(tell, **order)}), flush=True)


def _write(
    tell: Tell,
    channel: str,
    first: int,
    count: int,
    threads: int = 1,
    pause: float = 0,
    padding: int = 100,
) -> float:
    """Write events numbered from ``first``, shared out among threads."""
    text = "x" * padding

    def write(numbers: range) -> None:
        for number in numbers:
            tell(channel, f"n#{number} {text}")
            time.sleep(pause)
        connections.close_all()

    parts = [range(first + part, first + count, threads) for part in range(threads)]
    began = time.perf_counter()
    if threads == 1:
        write(parts[0])
    else:
        writers = [threading.Thread(target=write, args=[part]) for part in parts]
        for writer in writers:
            writer.start()
        for writer in writers:
            writer.join()
    return time.perf_counter() - began
