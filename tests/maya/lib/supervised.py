"""Starts `maya.lib.services` for real, and looks at what it leaves alive."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import psutil

ROOT = Path(__file__).resolve().parents[3]
WAIT = """
import signal, sys, time
def heard(number, _):
    print("heard", signal.Signals(number).name)
    sys.exit(5)
for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
    signal.signal(number, heard)
print("waiting")
time.sleep(600)
"""
"""A command that says which signal it heard, and ends with 5."""
PATIENCE_SECONDS = 30
"""Machines can be busy; nothing here waits that long when all is well."""


def environ(**more: str) -> dict[str, str]:
    """Returns our environment without the services that this test run uses."""
    ours = {
        name: value
        for name, value in os.environ.items()
        if name not in ("DATABASE_URL", "REDIS_URL")
    }
    return ours | {"PYTHONUNBUFFERED": "1"} | more


def with_services(var: Path) -> list[str]:
    """Returns the start of a command line: what follows runs with services."""
    return [sys.executable, "-m", "maya.lib.services", "--var", str(var), "--"]


class Supervised:
    """A running `python -m maya.lib.services`, and the processes under it."""

    def __init__(
        self, var: Path, command: Sequence[str], *, prefix: Sequence[str] = ()
    ) -> None:
        self.process = subprocess.Popen(
            [*prefix, *with_services(var), *command],
            cwd=ROOT,
            env=environ(),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self.tree: list[psutil.Process] = []

    def read_until(self, word: str) -> str:
        """Returns what the command says up to a line with `word`, and who is alive."""
        assert self.process.stdout
        said = ""
        for line in self.process.stdout:
            said += line
            if word in line:
                self.tree = psutil.Process(self.process.pid).children(recursive=True)
                return said
        raise AssertionError(f"no {word!r} in {said!r}")

    def names(self) -> set[str]:
        """Returns the names of the processes that were alive under it."""
        return {process.name() for process in self.tree}

    def end(self, number: signal.Signals | None = None) -> int:
        """Waits for its end, perhaps after a signal, and returns its exit code."""
        if number:
            self.process.send_signal(number)
        return self.process.wait(PATIENCE_SECONDS)

    def survivors(self) -> list[psutil.Process]:
        """Returns who of the tree is still alive, after giving it time to end."""
        assert self.tree
        return psutil.wait_procs(self.tree, timeout=PATIENCE_SECONDS)[1]


@contextmanager
def supervised(
    var: Path, command: Sequence[str], *, prefix: Sequence[str] = ()
) -> Iterator[Supervised]:
    """Runs a command with services, and ends them however the test ends."""
    run = Supervised(var, command, prefix=prefix)
    try:
        yield run
    finally:
        run.process.terminate()
        run.process.communicate(timeout=PATIENCE_SECONDS)


def run_python(
    var: Path, program: str, *, prefix: Sequence[str] = (), **more: str
) -> subprocess.CompletedProcess[str]:
    """Runs a Python program with services and returns what it said."""
    return subprocess.run(
        [*prefix, *with_services(var), sys.executable, "-c", program],
        cwd=ROOT,
        env=environ(**more),
        capture_output=True,
        text=True,
        timeout=PATIENCE_SECONDS * 2,
    )


@contextmanager
def folder(*, mode: int) -> Iterator[Path]:
    """Makes a folder with a mode; removes it and what it parked elsewhere."""
    path = Path(tempfile.mkdtemp())
    path.chmod(mode)
    try:
        yield path
    finally:
        for link in path.rglob("home"):
            shutil.rmtree(link.resolve(), ignore_errors=True)
        shutil.rmtree(path)
