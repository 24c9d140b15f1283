"""Services around a command in a terminal: its keys belong to the command."""

import os
import pty
import sys
from pathlib import Path

import psutil

from tests.maya.lib.supervised import ROOT, WAIT, environ, with_services


def test_ctrl_c_in_a_terminal_reaches_the_command_once(var: Path) -> None:
    run, terminal = start_in_terminal(var, WAIT)
    read_terminal(terminal, "waiting")
    tree = psutil.Process(run).children(recursive=True)

    os.write(terminal, b"\x03")
    said = read_terminal(terminal, None)

    assert said.count("heard SIGINT") == 1
    assert os.waitstatus_to_exitcode(os.waitpid(run, 0)[1]) == 5
    assert psutil.wait_procs(tree, timeout=30)[1] == []


def test_the_command_can_read_the_terminal(var: Path) -> None:
    run, terminal = start_in_terminal(var, "print('heard', input('name? '))")
    read_terminal(terminal, "name? ")

    os.write(terminal, b"Ana\n")

    assert "heard Ana" in read_terminal(terminal, None)
    assert os.waitstatus_to_exitcode(os.waitpid(run, 0)[1]) == 0


def test_ctrl_z_does_not_leave_the_terminal_waiting_for_ever(var: Path) -> None:
    run, terminal = start_in_terminal(var, "print('heard', input('name? '))")
    read_terminal(terminal, "name? ")

    os.write(terminal, b"\x1a")
    os.write(terminal, b"Ana\n")

    assert "heard Ana" in read_terminal(terminal, None)
    assert os.waitstatus_to_exitcode(os.waitpid(run, 0)[1]) == 0


def start_in_terminal(var: Path, program: str) -> tuple[int, int]:
    """Starts a program with services in a terminal; returns pid and our end of it."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(ROOT)
        command = [*with_services(var), sys.executable, "-c", program]
        os.execve(sys.executable, command, environ())
    return pid, terminal


def read_terminal(terminal: int, word: str | None) -> str:
    """Returns what the terminal shows, up to `word` or (None) to its end."""
    said = ""
    while word is None or word not in said:
        try:
            said += os.read(terminal, 1024).decode()
        except OSError:  # Linux says the end of a terminal with EIO
            return said
    return said
