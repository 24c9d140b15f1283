"""Processes that cannot outlive this one: the asker's side of `guard.py`."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from pathlib import Path

from maya.lib import guard

STOP_SECONDS = 15
"""How long a process may take to end after its stop signal, before SIGKILL."""
SAME_USER = (-1, -1)


class Guarded:
    """A process under a guard. `stop()` ends it; so does the end of this process."""

    def __init__(
        self,
        command: Sequence[str | Path],
        *,
        stop_signal: signal.Signals = signal.SIGTERM,
        stop_seconds: float = STOP_SECONDS,
        log: Path | None = None,
        environ: Mapping[str, str] | None = None,
        user: tuple[int, int] = SAME_USER,
        terminal: bool = False,
        keep: Sequence[int] = (),
    ) -> None:
        """Starts `command`, its output going to `log` (None: where ours goes).

        `user` is the (uid, gid) to drop to. `terminal` lends it our standard input
        and, if that is a terminal, the foreground, so that Ctrl-C reaches the command
        alone. `keep` lists descriptors of ours that it inherits.
        """
        guards_end, self._pipe = os.pipe()
        order = json.dumps(
            {
                "pipe": guards_end,
                "stop": stop_signal,
                "grace": stop_seconds,
                "user": user,
                "terminal": terminal,
                "keep": list(keep),
            }
        )
        try:
            with log.open("wb") if log else nullcontext() as output:
                self._guard = subprocess.Popen(
                    [sys.executable, "-I", "-S", guard.__file__, order]
                    + [str(word) for word in command],
                    stdin=None if terminal else subprocess.DEVNULL,
                    stdout=output,
                    stderr=output,
                    env=environ,
                    pass_fds=(guards_end, *keep),
                    start_new_session=not terminal,
                    process_group=0 if terminal else None,
                )
        finally:
            os.close(guards_end)

    def poll(self) -> int | None:
        """Returns the exit code, 128 + n when signal n ended it, None while it runs."""
        return self._guard.poll()

    def wait(self) -> int:
        """Waits for the process to end by itself and returns its exit code."""
        return self._guard.wait()

    def send(self, number: int) -> None:
        """Forwards a signal to the process."""
        self._guard.send_signal(number)

    def begin_stop(self) -> None:
        """Asks the process to stop, without waiting for it."""
        if self._pipe >= 0:
            os.close(self._pipe)
            self._pipe = -1

    def stop(self) -> int:
        """Stops the process, by SIGKILL if it must be, and returns its exit code."""
        self.begin_stop()
        return self._guard.wait()
