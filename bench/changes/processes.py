"""The processes of a bench: the endpoint, workers, and the peers by their lines."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import psutil

from tests.live.servers import ROOT

PATIENCE_SECONDS = 60
WORKER = [
    *("-m", "celery", "-A", "maya", "worker", "-B", "--pool", "threads"),
    *("--concurrency", "8", "--loglevel", "ERROR"),
    *("--without-gossip", "--without-mingle"),
]


def end_in_good_order() -> None:
    """Have SIGTERM unwind the stack, so that whoever we began ends with us."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))


class Process:
    """A process in a group of its own, which ends as a whole."""

    def __init__(
        self, arguments: Sequence[str | Path], environ: Mapping[str, str], **more: Any
    ) -> None:
        self.process = subprocess.Popen(
            arguments,
            cwd=ROOT,
            env=os.environ | environ,
            start_new_session=True,
            **more,
        )

    def kill(self) -> None:
        """End it at once, and all that it began."""
        if psutil.pid_exists(self.process.pid):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


def worker(folder: Path, name: str, environ: Mapping[str, str]) -> Process:
    """Start a Celery worker as an owner would."""
    own = ["-s", str(folder / f"{name}.beat"), "-n", f"{name}@%h"]
    command = [sys.executable, *WORKER, *own]
    return Process(command, environ, stdout=subprocess.DEVNULL)


class Peer(Process):
    """A peer's side, spoken to by lines of JSON."""

    def __init__(self, python: Path, script: str, *arguments: str) -> None:
        path = Path(__file__).parent / "peers" / script
        super().__init__(
            [python, path, *arguments],
            {},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        self._answer()

    def ask(self, do: str, many: int, threads: int) -> dict[str, Any]:
        """Have it do something; return its seconds and keys."""
        asked = {"do": do, "many": many, "threads": threads}
        assert self.process.stdin is not None
        print(json.dumps(asked), file=self.process.stdin, flush=True)
        return self._answer()

    def _answer(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError("a peer ended")
        return dict(json.loads(line))


def wait_until(ready: Any) -> None:
    """Wait for something that will be so."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not ready():
        if time.monotonic() > deadline:
            raise TimeoutError
        time.sleep(0.005)
