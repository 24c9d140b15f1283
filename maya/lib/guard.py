"""The guard: runs one process, and stops it when whoever asked for it is gone.

A guard is a process of its own between the asker and the command. It holds the read
end of a pipe whose only write end is the asker's: when the asker ends, however it ends
(even by SIGKILL), the pipe reaches its end and the guard stops the command's group.

`guarded.py` starts this file as a script with `python -I -S`, so that a guard starts in
a few milliseconds; the standard library is all it may use:

    guard.py ORDER COMMAND...    ORDER is the JSON of `guarded.Order`
"""

import ctypes
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from types import FrameType
from typing import Any

FORWARDED = (
    signal.SIGINT,
    signal.SIGTERM,
    signal.SIGHUP,
    signal.SIGQUIT,
    signal.SIGUSR1,
    signal.SIGUSR2,
)
REMNANT_SECONDS = 2
"""How long what a command leaves in its group may take to end, before SIGKILL."""
LINUX = sys.platform == "linux"
PR_SET_PDEATHSIG = 1
"""From <linux/prctl.h>: signal me when my parent dies."""
NOT_FOUND, NOT_EXECUTABLE = 127, 126
"""What a shell answers when it cannot run a command."""


class Guard:
    """One command and the signals that came before it had started."""

    def __init__(self, order: dict[str, Any]) -> None:
        self.order = order
        self.pid = 0
        self.early: list[int] = []

    def run(self, command: list[str]) -> int:
        """Runs `command` to its end and returns its exit code, 128 + n for signal n."""
        forward_signals(self.forward)
        self.pid = self.start(command)
        for number in self.early:
            os.kill(self.pid, number)
        threading.Thread(target=self.stop_when_abandoned, daemon=True).start()
        before = lend_terminal(self.pid) if self.order["terminal"] else None
        code = wait(self.pid)
        end_group(self.pid)
        if before is not None:
            with suppress(OSError):  # the group that lent it may be gone by now
                os.tcsetpgrp(0, before)
        return code

    def start(self, command: list[str]) -> int:
        """Starts the command in a group of its own and returns its pid."""
        uid, gid = self.order["user"]
        drop: dict[str, Any] = {"user": uid, "group": gid, "extra_groups": []}
        process = subprocess.Popen(
            command,
            pass_fds=self.order["keep"],
            process_group=0,
            preexec_fn=self.die_with_guard if LINUX else None,  # noqa: PLW1509
            **(drop | {"cwd": "/"} if uid >= 0 else {}),
        )
        process.returncode = 0  # reaped by `wait` below, never by subprocess
        return process.pid

    def forward(self, number: int, _frame: FrameType | None) -> None:
        """Passes a signal on, or keeps it until there is somebody to pass it to."""
        if self.pid:
            os.kill(self.pid, number)
        else:
            self.early.append(number)

    def stop_when_abandoned(self) -> None:
        """Waits for the end of the asker's pipe, then stops the command."""
        while os.read(self.order["pipe"], 1):
            pass
        with suppress(ProcessLookupError):
            os.kill(self.pid, self.order["stop"])
            time.sleep(self.order["grace"])
            os.killpg(self.pid, signal.SIGKILL)

    def die_with_guard(self) -> None:
        """In the command, before it runs: stop it if its guard is killed (Linux)."""
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, self.order["stop"])


def forward_signals(handler: Callable[[int, FrameType | None], None]) -> None:
    """Hands every signal that is meant for the command to `handler`.

    `nohup` works as ever: an ignored SIGHUP stays ignored. (SIGINT is taken even where
    it is ignored, as it is in the background jobs of a script.)
    """
    for number in FORWARDED:
        if number != signal.SIGHUP or signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, handler)


def lend_terminal(pid: int) -> int | None:
    """Puts the command in the terminal's foreground; returns the group to restore.

    The command has a process group of its own, so only then may it read the terminal,
    and only then does Ctrl-C reach it (and it alone: we forward nothing twice). In the
    background (`make test &`), or without a terminal, nothing is lent.
    """
    if not os.isatty(0) or os.tcgetpgrp(0) != os.getpgid(os.getppid()):
        return None
    before = os.tcgetpgrp(0)
    signal.signal(signal.SIGTTOU, signal.SIG_IGN)
    os.tcsetpgrp(0, pid)
    os.killpg(pid, signal.SIGCONT)
    return before


def wait(pid: int) -> int:
    """Waits for the command's end and returns its exit code as a shell would.

    A stop (Ctrl-Z) is undone at once: the shell that started us does not see it and
    would wait forever for a command that nobody can continue.
    """
    while True:
        _, status = os.waitpid(pid, os.WUNTRACED)
        if not os.WIFSTOPPED(status):
            code = os.waitstatus_to_exitcode(status)
            return code if code >= 0 else 128 - code
        os.killpg(pid, signal.SIGCONT)


def end_group(group: int) -> None:
    """Ends what the command left running in its group."""
    deadline = time.monotonic() + REMNANT_SECONDS
    try:
        os.killpg(group, signal.SIGTERM)
        while time.monotonic() < deadline:
            os.killpg(group, 0)
            time.sleep(0.02)
        os.killpg(group, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        # Nobody is left (macOS says EPERM where only zombies are).
        return


def main() -> int:
    """Carries out the order in the arguments."""
    command = sys.argv[2:]
    try:
        return Guard(json.loads(sys.argv[1])).run(command)
    except OSError as error:
        print(f"{command[0]}: {error.strerror}", file=sys.stderr)
        return NOT_FOUND if isinstance(error, FileNotFoundError) else NOT_EXECUTABLE


if __name__ == "__main__":
    sys.exit(main())
