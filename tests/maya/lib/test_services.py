"""The embedded services: real servers, real signals, and nobody left alive."""

import os
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from tests.maya.lib.supervised import (
    WAIT,
    run_python,
    supervised,
)

USER_NAMESPACE = ("unshare", "--user", "--map-user=1000")
"""Root without its uid: the way to see a start by somebody else where we are root."""


def ways_to_start() -> list[tuple[str, ...]]:
    """Returns the prefixes to start with: as we are and, if that is root, as not."""
    try:
        probe = subprocess.run([*USER_NAMESPACE, "true"], capture_output=True)
    except FileNotFoundError:
        return [()]
    return [(), USER_NAMESPACE] if os.geteuid() == 0 and not probe.returncode else [()]


READ_BACK = """
import os, psycopg, redis
with psycopg.connect(os.environ["DATABASE_URL"]) as db:
    db.execute("CREATE TABLE IF NOT EXISTS seen (n int)")
    db.execute("INSERT INTO seen VALUES (1)")
    rows = db.execute("SELECT count(*) FROM seen").fetchone()[0]
    durable = [db.execute(f"SHOW {name}").fetchone()[0]
               for name in ("synchronous_commit", "fsync")]
count = redis.Redis.from_url(os.environ["REDIS_URL"]).incr("seen")
print(rows, count, *durable)
"""
SHELL = ["sh", "-c", "sleep 600 & echo waiting; wait"]
"""A command with a process of its own that nobody would stop."""


@pytest.mark.parametrize("prefix", ways_to_start())
def test_the_command_gets_both_servers_and_the_data_stay(
    var: Path, prefix: tuple[str, ...]
) -> None:
    first = run_python(var, READ_BACK, prefix=prefix)
    second = run_python(var, READ_BACK, prefix=prefix)

    assert (first.returncode, first.stdout) == (0, "1 1 on on\n"), first.stderr
    assert (second.returncode, second.stdout) == (0, "2 2 on on\n"), second.stderr


def test_the_first_start_takes_seconds(place: Path) -> None:
    def seconds(name: str) -> float:
        start = time.monotonic()
        with supervised(place / name, ["echo", "ready"]) as run:
            run.read_until("ready")
            return time.monotonic() - start

    # One second where nothing else runs (we promise three); a busy machine takes more.
    assert min(seconds(name) for name in ("a", "b", "c")) < 10


def test_the_command_s_exit_code_is_ours(var: Path) -> None:
    assert run_python(var, "raise SystemExit(7)").returncode == 7


def test_a_command_that_is_not_there_is_said_so(var: Path) -> None:
    with supervised(var, ["no-such-command"]) as run:
        assert run.read_until("no-such-command") == (
            "no-such-command: No such file or directory\n"
        )
        assert run.end() == 127


def test_servers_that_the_environment_names_are_not_started(var: Path) -> None:
    program = "import os; print(os.environ['DATABASE_URL'], os.environ['REDIS_URL'])"
    both = run_python(var, program, DATABASE_URL="postgres://d", REDIS_URL="redis://r")
    assert both.stdout == "postgres://d redis://r\n"
    assert not var.exists()

    one = run_python(var, program, DATABASE_URL="postgres://d")
    assert one.stdout.startswith("postgres://d redis://:")
    assert (var / "valkey").exists()
    assert not (var / "pg").exists()


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_a_signal_goes_to_the_command_and_nobody_survives(var: Path, name: str) -> None:
    with supervised(var, [sys.executable, "-c", WAIT]) as run:
        run.read_until("waiting")
        assert {"postgres", "valkey-server"} <= run.names()

        assert run.end(signal.Signals[name]) == 5
        assert run.process.stdout
        assert run.process.stdout.read() == f"heard {name}\n"
        assert run.survivors() == []


@pytest.mark.parametrize("prefix", ways_to_start())
def test_nobody_survives_a_kill_of_the_parent(
    var: Path, prefix: tuple[str, ...]
) -> None:
    with supervised(var, SHELL, prefix=prefix) as run:
        run.read_until("waiting")
        assert {"postgres", "valkey-server", "sh", "sleep"} <= run.names()

        run.end(signal.SIGKILL)
        assert run.survivors() == []


def test_nobody_survives_a_kill_of_the_command(var: Path) -> None:
    with supervised(var, SHELL) as run:
        run.read_until("waiting")
        next(process for process in run.tree if process.name() == "sh").kill()

        assert run.end() == 128 + signal.SIGKILL
        assert run.survivors() == []


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a child of that")
def test_a_server_does_not_survive_a_kill_of_its_guard(var: Path) -> None:
    with supervised(var, SHELL) as run:
        run.read_until("waiting")
        server = next(process for process in run.tree if is_postmaster(process, var))
        guard = server.parent()
        assert guard
        guard.kill()

        assert psutil.wait_procs([server], timeout=30)[1] == []


def is_postmaster(process: psutil.Process, var: Path) -> bool:
    """Tells if a process is the server of that var folder, not one of its backends."""
    return process.name() == "postgres" and str(var / "pg") in process.cmdline()


def test_a_kill_loses_nothing_and_the_next_run_starts_at_once(var: Path) -> None:
    commit = READ_BACK + "print('waiting', flush=True)\nimport time\ntime.sleep(600)"
    with supervised(var, [sys.executable, "-c", commit]) as run:
        run.read_until("waiting")
        run.end(signal.SIGKILL)

        assert run_python(var, READ_BACK).stdout == "2 2 on on\n"
        assert run.survivors() == []


def test_two_runs_on_one_folder_are_refused_in_one_sentence(var: Path) -> None:
    with supervised(var, SHELL) as run:
        run.read_until("waiting")
        second = run_python(var, "print('never')")

        assert (second.returncode, second.stdout) == (1, "")
        assert second.stderr == (
            f"maya.lib.services: {var} is in use by another run"
            f" (process {run.process.pid}).\n"
        )
        assert run.process.poll() is None


def test_a_stale_pid_file_does_not_prevent_a_start(var: Path) -> None:
    run_python(var, READ_BACK)
    owner = (var / "pg").stat()
    user = owner.st_uid if os.geteuid() == 0 else None
    with subprocess.Popen(["sleep", "600"], user=user, cwd="/") as stranger:
        # PostgreSQL alone would refuse: a process of that pid and that user is alive.
        stale = var / "pg" / "postmaster.pid"
        stale.write_text(f"{stranger.pid}\n{var / 'pg'}\n")
        os.chown(stale, owner.st_uid, owner.st_gid)
        try:
            assert run_python(var, READ_BACK).stdout == "2 2 on on\n"
            assert stranger.poll() is None
        finally:
            stranger.kill()


def test_an_interrupted_first_start_does_not_prevent_the_next(var: Path) -> None:
    half = var / "pg.new"
    half.mkdir(parents=True)
    (half / "PG_VERSION").write_text("18\n")

    assert run_python(var, READ_BACK).stdout == "1 1 on on\n"


def test_a_folder_that_cannot_be_written_is_said_in_one_sentence(place: Path) -> None:
    (place / "file").touch()
    refused = run_python(place / "file" / "var", "print('never')")

    assert (refused.returncode, refused.stdout) == (1, "")
    assert refused.stderr == (
        f"maya.lib.services: {place / 'file' / 'var'}: Not a directory.\n"
    )


def test_a_server_that_cannot_start_says_why_and_leaves_nothing(var: Path) -> None:
    run_python(var, READ_BACK)
    (var / "pg" / "PG_VERSION").write_text("9.6\n")
    with supervised(var, ["echo", "never"]) as run:
        said = run.read_until("PostgreSQL ended")

        assert run.end() == 1
        assert "incompatible" in said
        assert not [p for p in psutil.process_iter() if is_postmaster(p, var)]


def test_a_private_folder_keeps_its_mode_and_servers_run(place: Path) -> None:
    private = place / "private"
    private.mkdir(mode=0o700)
    var = private / "var"
    try:
        assert run_python(var, READ_BACK).stdout == "1 1 on on\n"
        assert run_python(var, READ_BACK).stdout == "2 2 on on\n"
        assert stat.S_IMODE(private.stat().st_mode) == 0o700
    finally:
        for link in private.glob("*/home"):
            subprocess.run(["rm", "-r", link.resolve()], check=True)
