"""What stands in the way of a set-up is said in one sentence, before it begins."""

import importlib.util
import os
import platform
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

SCRIPT = Path(__file__).resolve().parents[2] / ".ci" / "preflight.py"


@pytest.fixture
def preflight() -> ModuleType:
    """The script as a module, to be asked about other machines than this one."""
    spec = importlib.util.spec_from_file_location("preflight", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_this_machine_will_do(tmp_path: Path) -> None:
    said = subprocess.run(
        [sys.executable, SCRIPT], cwd=tmp_path, capture_output=True, text=True
    )

    assert (said.returncode, said.stderr) == (0, "")


def test_an_old_python_is_named(
    preflight: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "version_info", (3, 9, 18))

    assert preflight.problem() == (
        "Maya needs Python 3.11 or newer and this is 3.9:"
        " name another one with `make PYTHON=/path/to/python3`."
    )


@pytest.mark.parametrize(
    ("system", "machine", "libc"),
    [
        ("linux", "x86_64", "musl"),
        ("linux", "riscv64", "glibc"),
        ("win32", "AMD64", ""),
    ],
)
def test_a_platform_without_wheels_is_named(
    preflight: ModuleType,
    monkeypatch: pytest.MonkeyPatch,
    system: str,
    machine: str,
    libc: str,
) -> None:
    monkeypatch.setattr(sys, "platform", system)
    monkeypatch.setattr(platform, "machine", lambda: machine)
    monkeypatch.setattr(platform, "libc_ver", lambda: (libc, ""))

    assert preflight.problem().startswith("Maya's embedded servers run on Linux with")
    assert machine in preflight.problem()


def test_a_folder_that_cannot_be_written_is_named(
    preflight: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(os, "access", lambda path, mode: False)  # root may write all

    assert preflight.problem() == f"{tmp_path} cannot be written."


def test_a_python_without_venv_is_told_what_to_install(
    preflight: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)

    assert "python3-venv" in preflight.problem()
