"""The demo's processes: each under a guard, with a log of its own, all watched."""

import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NoReturn

from maya.demonstration.problem import DemoProblem
from maya.demonstration.words import progress, words
from maya.lib.guarded import Guarded

READY_SECONDS = 90
STOP_SECONDS = 10
"""Celery lets running tasks end; those that do not are found again by the sweep."""
POLL_SECONDS = 0.1
LOG_LINES = 15


@dataclass(frozen=True)
class Child:
    """One process of the demo."""

    name: str
    process: Guarded
    log: Path
    ends: bool = False
    """Whether ending well is all that it is there for."""

    def check(self) -> None:
        """Raises DemoProblem with its last words when it has ended and should not."""
        code = self.process.poll()
        if code is not None and not (self.ends and code == 0):
            raise self.problem("ended", code=code)

    def problem(self, key: str, **values: object) -> DemoProblem:
        """Returns what to say of this child, and the end of its log."""
        said = words(key, name=self.name, log=self.log, **values)
        lines = self.log.read_text(errors="replace").splitlines()[-LOG_LINES:]
        lines = lines or [words("nothing")]
        return DemoProblem("\n".join([said, *(f"    {line}" for line in lines)]))


@dataclass(frozen=True)
class Children:
    """The processes of one demo; `servers` are looked after, not stopped, here."""

    logs: Path
    servers: Sequence[Child] = ()
    running: list[Child] = field(default_factory=list)

    def start(
        self,
        name: str,
        arguments: Sequence[str],
        environ: Mapping[str, str],
        *,
        ends: bool = False,
    ) -> Child:
        """Says so, starts `python` with some arguments and returns the child."""
        progress(name)
        log = self.logs / f"{name}.log"
        process = Guarded(
            [sys.executable, *arguments],
            log=log,
            environ=environ,
            stop_seconds=STOP_SECONDS,
        )
        child = Child(words(name), process, log, ends)
        self.running.append(child)
        return child

    def wait_until(self, child: Child, ready: Callable[[], bool]) -> None:
        """Waits for a child to be ready; raises DemoProblem if it never is."""
        deadline = time.monotonic() + READY_SECONDS
        while not ready():
            self.check()
            if time.monotonic() > deadline:
                raise child.problem("silent")
            time.sleep(POLL_SECONDS)
        self.check()

    def wait_for_end(self, child: Child) -> None:
        """Waits for a child that ends by itself; raises DemoProblem if it fails."""
        self.wait_until(child, lambda: child.process.poll() is not None)

    def check(self) -> None:
        """Raises DemoProblem when any process has ended that should not."""
        for child in (*self.servers, *self.running):
            child.check()

    def watch(self) -> NoReturn:
        """Looks after all of them; raises DemoProblem when one ends."""
        while True:
            self.check()
            time.sleep(POLL_SECONDS)

    def stop(self) -> None:
        """Stops all of them at once, by SIGKILL in the end."""
        for child in self.running:
            child.process.begin_stop()
        for child in self.running:
            child.process.stop()


def answers(url: str) -> Callable[[], bool]:
    """Returns a test whether a web server answers there, with whatever it likes."""

    def ready() -> bool:
        try:
            urllib.request.urlopen(url, timeout=5).close()
        except urllib.error.HTTPError as error:
            return error.code < 500
        except OSError:
            return False
        return True

    return ready


def has_said(child: Child, word: str) -> Callable[[], bool]:
    """Returns a test whether a child has logged a word."""
    return lambda: word in child.log.read_text(errors="replace")
