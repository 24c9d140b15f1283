"""What all sides stand on: databases of their own, and the peers' packages."""

import subprocess
import sys
from pathlib import Path

import psycopg

from maya.lib.servers import at_database, ensure_database
from tests.live.servers import ROOT

FOLDER = ROOT / "var" / "bench-ledger"
PACKAGES = [
    "dbos==3.4.0",
    "langgraph==1.2.22",
    "langgraph-checkpoint-postgres==3.2.0",
    "psycopg[binary,pool]==3.3.9",
    "httpx==0.28.1",
]


def install_peers() -> Path:
    """Install the peers once, in an environment of their own; return its Python."""
    home, stamp = FOLDER / "peers", FOLDER / "peers" / "installed"
    python, wanted = home / "bin" / "python", "\n".join(PACKAGES)
    if not stamp.exists() or stamp.read_text() != wanted:
        subprocess.run([sys.executable, "-m", "venv", "--clear", home], check=True)
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


def new_database(server: str, name: str) -> str:
    """Create an empty database; durable commits, as everybody's here."""
    with psycopg.connect(at_database(server, "postgres"), autocommit=True) as one:
        one.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
        found = one.execute("SHOW synchronous_commit").fetchone()
        if found != ("on",):
            raise SystemExit("This bench needs synchronous_commit=on.")
    return ensure_database(server, name)
