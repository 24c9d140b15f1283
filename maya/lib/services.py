"""PostgreSQL and Valkey from wheels, for the demo, the tests and development.

    python -m maya.lib.services --var DIR -- COMMAND...

starts both servers on free ports of the loopback interface, runs COMMAND with
DATABASE_URL and REDIS_URL in its environment, stops everything afterwards and exits
with the command's code. `services(DIR)` does the same around a `with` block. A URL that
is already set in the environment is used as it is, and that server is not started.

The data stay under DIR (see `home.py`). Every process has a guard (see `guard.py`), so
nothing is left alive after a normal exit, Ctrl-C, SIGTERM or a SIGKILL of this one.
"""

import argparse
import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType

from maya.lib.guard import FORWARDED, forward_signals
from maya.lib.guarded import Guarded
from maya.lib.home import Home, HomeError, open_home
from maya.lib.servers import Server, ServicesError, start_postgres, start_valkey


@dataclass(frozen=True)
class Services:
    """The running servers, and what their users need in the environment."""

    servers: list[Server] = field(default_factory=list)

    @property
    def environ(self) -> dict[str, str]:
        """Returns DATABASE_URL and REDIS_URL, as far as the servers are ours."""
        return {server.variable: server.url for server in self.servers}

    def stop(self) -> None:
        """Stops all servers at the same time and waits for them."""
        for server in self.servers:
            server.process.begin_stop()
        for server in self.servers:
            server.process.stop()


@contextmanager
def services(var: Path) -> Iterator[Services]:
    """Runs the servers that the environment does not name, with their data under `var`.

    Raises ServicesError when they cannot be started; nothing is left running then.
    """
    wanted = [
        start
        for variable, start in (
            ("REDIS_URL", start_valkey),
            ("DATABASE_URL", start_postgres),
        )
        if not os.environ.get(variable)
    ]
    if not wanted:
        yield Services()
        return
    running = Services()
    home = open_home_or_explain(var)
    try:
        start_all(home, wanted, running)
        yield running
    finally:
        running.stop()
        os.close(home.lock)


def open_home_or_explain(var: Path) -> Home:
    """Opens the home of `var`; raises ServicesError when it cannot be used."""
    try:
        return open_home(var)
    except HomeError as error:
        raise ServicesError(str(error)) from error


def start_all(
    home: Home, wanted: Sequence[Callable[[Home], Server]], running: Services
) -> None:
    """Starts the wanted servers, all at once, and returns when they are ready."""
    try:
        for start in wanted:
            running.servers.append(start(home))
    except OSError as error:
        raise ServicesError(f"{error.filename}: {error.strerror}.") from error
    for server in running.servers:
        server.wait_until_ready()


def run(command: Sequence[str], environ: dict[str, str]) -> int:
    """Runs the command with our terminal and our signals; returns its exit code."""
    process = Guarded(command, environ=os.environ | environ, terminal=True)
    forward_signals(lambda number, _: process.send(number))
    try:
        return process.wait()
    finally:
        process.stop()


def interrupt(number: int, _frame: FrameType | None) -> None:
    """Ends this program in good order, undisturbed by further signals."""
    for other in FORWARDED:
        signal.signal(other, signal.SIG_IGN)
    raise SystemExit(128 + number)


def main() -> int:
    """Runs a command with services around it."""
    parser = argparse.ArgumentParser(prog="python -m maya.lib.services")
    parser.add_argument("--var", type=Path, default=Path("var/services"))
    parser.add_argument("command", nargs="+", metavar="COMMAND")
    arguments = parser.parse_args()
    forward_signals(interrupt)
    try:
        with services(arguments.var) as running:
            return run(arguments.command, running.environ)
    except ServicesError as error:
        print(f"maya.lib.services: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
