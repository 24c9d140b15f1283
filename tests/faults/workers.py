"""Celery workers that die as planned, and are replaced as an init system would."""

import os
import signal
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from .nursery import Nursery
from .plans import Plan, Plans
from .proxy import Death, Proxy

ARGUMENTS = [
    *("worker", "-B", "--pool", "threads", "--concurrency", "8"),
    *("--loglevel", "WARNING", "--without-gossip", "--without-mingle"),
]
PATIENCE_SECONDS = 10.0
"""A worker whose point is not reached by then is killed wherever it is."""
NEVER = Plan()


@dataclass
class Worker:
    """One place for a worker; its process is replaced whenever it dies."""

    name: str
    folder: Path
    nursery: Nursery
    proxy: Proxy
    plans: Plans
    deaths: Counter[str] = field(default_factory=Counter)
    plan: Plan = NEVER
    pid: int = 0
    working_since: float = 0.0

    def start(self, *, mortal: bool = True) -> None:
        """Start a process with a death of its own."""
        self.plan = self.plans.take() if mortal else NEVER
        self.working_since = 0.0
        self._points.unlink(missing_ok=True)
        environ = {
            "FAULT_LOG": str(self._points),
            "FAULT_POINT": self.plan.point,
            "FAULT_TURN": str(self.plan.turn),
            "PGAPPNAME": self.name,
        }
        beat = ["-s", str(self.folder / f"{self.name}.beat"), "-n", f"{self.name}@%h"]
        log = self.folder / f"{self.name}.log"
        self.pid = self.nursery.bear(ARGUMENTS + beat, environ, log)
        if self.plan.direction:
            self.proxy.deaths[self.pid] = Death(
                self.pid, self.plan.direction, self.plan.bytes
            )

    def look(self, *, mortal: bool) -> None:
        """Replace it if it has died, and kill it if it should have by now."""
        if not psutil.pid_exists(self.pid):
            self._bury()
            self.start(mortal=mortal)
        elif not self.working_since and "before" in self._said:
            self.working_since = time.monotonic()
        elif mortal and self._is_late:
            os.kill(self.pid, signal.SIGKILL)

    def stop(self) -> None:
        """Stop it for good."""
        if self.pid:
            self._end_group()

    @property
    def _is_late(self) -> bool:
        since = self.working_since
        return bool(since) and time.monotonic() - since > PATIENCE_SECONDS

    def _bury(self) -> None:
        """Count how it died, and end what it left behind."""
        point = self._said.partition("died ")[2].strip()
        at_byte = self.proxy.killed.pop(self.pid, "")
        self.deaths[point or at_byte or "anywhere"] += 1
        if not point:
            self.plans.give_back(self.plan)
        self.proxy.deaths.pop(self.pid, None)
        self._end_group()

    def _end_group(self) -> None:
        """End its beat, which outlives a worker that is killed."""
        with suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGKILL)

    @property
    def _said(self) -> str:
        return self._points.read_text() if self._points.exists() else ""

    @property
    def _points(self) -> Path:
        return self.folder / f"{self.name}.points"
