"""The demo as a newcomer meets it: one command, real processes, nothing left behind."""

import signal
import socket
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.maya.demonstration.showing import (
    ROOT,
    Demo,
    answer,
    environ,
    showing,
    sign_in,
)
from tests.maya.lib.supervised import folder

ADDRESSES = (
    "The shop (come in as Ana)",
    "The bank (come in as Beto)",
    "The shop's chat",
    "The bank's chat",
    "Admin",
    "API",
)


@pytest.fixture(scope="module")
def var() -> Iterator[Path]:
    """The folder of one demo, started again by each test."""
    with folder(mode=0o755) as place:
        yield place / "var"


@pytest.fixture(scope="module")
def first(var: Path) -> Iterator[Demo]:
    """The first start of a demo, already ended with Ctrl-C."""
    with showing(var) as demo:
        statuses = {name: answer(demo.told(name)) for name in ADDRESSES}
        assert statuses == dict.fromkeys(ADDRESSES, 200)
        assert demo.end(signal.SIGINT) == 128 + signal.SIGINT
        yield demo


def test_ctrl_c_leaves_nobody(first: Demo) -> None:
    assert len(first.tree) > 10
    assert first.survivors() == []


def test_the_secrets_are_kept_for_their_owner_alone(first: Demo, var: Path) -> None:
    kept = var / "demo.env"

    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert first.told("Password (shown only now)") in kept.read_text()


def test_a_second_start_keeps_the_data_and_a_kill_leaves_nobody(
    first: Demo, var: Path
) -> None:
    password = first.told("Password (shown only now)")
    with showing(var) as second:
        assert password not in second.said
        assert "demo.env" in second.told("Password")
        user, admin = second.told("User"), second.told("Admin")
        assert sign_in(admin, user=user, password=password) == admin

        second.end(signal.SIGKILL)
        assert second.survivors() == []


def test_when_a_process_dies_it_is_named_and_all_end(first: Demo, var: Path) -> None:
    with showing(var) as demo:
        demo.running("-m", "daphne").kill()

        _, complaint = demo.process.communicate()
        assert demo.process.returncode == 1
        assert complaint.startswith("Web server has ended (code 137); its last")
        assert "web.log:\n    " in complaint
        assert "Listening on TCP address 127.0.0.1" in complaint
        assert demo.survivors() == []


def refused(var: Path, **more: str) -> str:
    """Returns what a demo that cannot start complains of."""
    said = subprocess.run(
        [sys.executable, "manage.py", "demo", "--var", var],
        cwd=ROOT,
        env=environ() | more,
        capture_output=True,
        text=True,
    )
    assert (said.returncode, said.stdout) == (1, "")
    return said.stderr


def test_a_port_in_use_is_one_sentence_and_starts_nothing(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]

        assert refused(tmp_path / "var", BANK_PORT=str(port)) == (
            f"Port {port} is in use: free it, or choose another with BANK_PORT.\n"
        )
    assert not (tmp_path / "var").exists()


def test_a_folder_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "var").touch()

    assert refused(tmp_path / "var", LANG="es_ES.UTF-8") == (
        f"No se puede escribir en {tmp_path / 'var' / 'demo' / 'logs'}:"
        " Not a directory.\n"
    )
