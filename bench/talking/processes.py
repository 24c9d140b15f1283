"""Starts the sides, and reads what PostgreSQL itself spends."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import psycopg

from tests.live.servers import ROOT

FOLDER = ROOT / "var" / "bench-turns"
PEERS = FOLDER / "peers"
PACKAGES = [
    "pydantic-ai-slim==2.68.0",
    "llama-index-core==0.14.25",
]
TICKS = os.sysconf("SC_CLK_TCK")


def install_peers() -> Path:
    """Make the peers' environment, once; returns its interpreter."""
    python, stamp = PEERS / "bin" / "python", PEERS / "installed"
    wanted = "\n".join(PACKAGES)
    if not stamp.exists() or stamp.read_text() != wanted:
        print("· installing pydantic-ai and LlamaIndex", file=sys.stderr)
        subprocess.run([sys.executable, "-m", "venv", "--clear", PEERS], check=True)
        pip = [
            str(python),
            "-m",
            "pip",
            "install",
            "-qq",
            "--disable-pip-version-check",
        ]
        subprocess.run([*pip, *PACKAGES], check=True)
        stamp.write_text(wanted)
    return python


class Side:
    """One side in a process of its own, that does what it is ordered."""

    def __init__(
        self, name: str, python: str | Path, module: str, environ: dict[str, str]
    ) -> None:
        """Start it and wait until it is warm."""
        self.name = name
        self.process = subprocess.Popen(
            [python, "-m", module],
            cwd=ROOT,
            env=os.environ | environ,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self._read()

    def order(self, do: str, **more: Any) -> dict[str, Any]:
        """Have something done; returns its figures."""
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps({"do": do, **more}) + "\n")
        self.process.stdin.flush()
        return self._read()

    def _read(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError(f"{self.name} ended with {self.process.wait()}")
        figures: dict[str, Any] = json.loads(line)
        return figures

    def end(self) -> None:
        """Let it go."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait(timeout=30)


def database_seconds(url: str) -> float:
    """Return what PostgreSQL has spent, all of its processes together."""
    with psycopg.connect(url) as server:
        [(pid,)] = server.execute("SELECT pg_backend_pid()").fetchall()
        postmaster = _stat(pid)[1]
    spent = 0
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            stat = _stat(int(folder.name))
        except (OSError, ValueError):
            continue  # it ended between the listing and the reading
        if int(folder.name) == postmaster:
            spent += sum(stat[11:15])  # its own, and of the children that ended
        elif stat[1] == postmaster:
            spent += sum(stat[11:13])
    return spent / TICKS


def _stat(pid: int) -> list[int]:
    """Return /proc/pid/stat from the parent's id on; the state comes as 0."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return [0, *(int(field) for field in fields[1:])]
