"""A process that has everything loaded and forks workers: a start takes 0.2 s, not 5.

What it forks is a Celery worker as ``celery -A maya worker`` runs it. It reads one
JSON object a line (``environ``, ``log``, ``arguments``) and answers with a pid.

    python -m tests.faults.nursery
"""

import json
import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from types import FrameType
from typing import Any

from maya.celery import app
from tests.live.servers import ROOT

from . import points


class Nursery:
    """The caller's side."""

    def __init__(self, environ: dict[str, str]) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.faults.nursery"],
            cwd=ROOT,
            env=os.environ | environ,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def bear(self, arguments: list[str], environ: dict[str, str], log: Path) -> int:
        """Return the pid of a new worker, leader of a group of its own."""
        asked = {"arguments": arguments, "environ": environ, "log": str(log)}
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        print(json.dumps(asked), file=self.process.stdin, flush=True)
        return int(self.process.stdout.readline())

    def close(self) -> None:
        """End it; its workers are others' business."""
        self.process.kill()
        self.process.wait()


def reap(number: int, frame: FrameType | None) -> None:
    """Let the dead go, so that everybody sees that they are."""
    with suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def be_worker(asked: dict[str, Any]) -> None:
    """Become the worker that was asked for, in a forked child."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.setsid()
    log = os.open(asked["log"], os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.dup2(log, 1)
    os.dup2(log, 2)
    os.environ.update(asked["environ"])
    points.tell("started")
    app.worker_main(asked["arguments"])


def main() -> None:
    """Load everything once, then fork for every line."""
    app.loader.import_default_modules()
    app.finalize()
    signal.signal(signal.SIGCHLD, reap)
    for line in sys.stdin:
        pid = os.fork()
        if pid == 0:
            be_worker(json.loads(line))
            os._exit(0)
        print(pid, flush=True)


if __name__ == "__main__":
    main()
