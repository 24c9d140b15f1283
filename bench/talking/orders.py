"""A side as a process: orders come in one a line, and figures go out one a line."""

import gc
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from .story import PACE

WARM = 8
PAGE = 4096
Play = Callable[[int], None]
"""Plays so many turns at the same time, and returns when all have ended well."""


def obey(play: Play, **more: Callable[..., dict[str, Any]]) -> None:
    """Warm up, then do what each line orders until there are no more."""
    play(WARM)
    known = {"cpu": _cpu, "memory": _memory}
    print(json.dumps({"ready": True}), flush=True)
    for line in sys.stdin:
        order = json.loads(line)
        name = order.pop("do")
        done = more[name](**order) if name in more else known[name](play, **order)
        print(json.dumps(done), flush=True)


def _cpu(play: Play, turns: int) -> dict[str, Any]:
    """Return this process's processor seconds, of all its threads."""
    gc.collect()
    began = time.process_time()
    play(turns)
    return {"seconds": time.process_time() - began}


def _memory(play: Play, turns: int) -> dict[str, Any]:
    """Return how much the process grew with all turns in the middle of an answer."""
    grown: list[int] = []
    gc.collect()
    before = _resident()
    PACE.gather(turns, lambda: grown.append(_resident() - before))
    play(turns)
    PACE.opened = None
    return {"kb": grown[0] / 1024}


def _resident() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * PAGE
