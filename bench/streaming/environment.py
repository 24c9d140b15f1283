"""What both sides stand on: databases of their own, and the peer's packages."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import psycopg

from maya.lib.services import services
from tests.live.servers import ROOT

FOLDER = ROOT / "var" / "bench-streams"
CONNECTIONS = 500
PEER = FOLDER / "eventstream"
PEER_PACKAGES = [
    "django-eventstream==5.3.4",
    "Django==5.2.19",
    "psycopg[binary,pool]==3.3.9",
    "redis==8.1.0",
    "daphne==4.2.3",
    "uvicorn[standard]==0.54.0",
]


@contextmanager
def wide_database() -> Iterator[str]:
    """Run a PostgreSQL that lets in enough connections; yields its address.

    The peer holds one for each stream, more in all than PostgreSQL lets in by itself.
    """
    os.environ.pop("DATABASE_URL", None)
    for _ in range(2):
        # The setting needs a restart, so the first time is for the setting alone
        with services(FOLDER) as running:
            url = running.environ["DATABASE_URL"]
            with psycopg.connect(url, autocommit=True) as server:
                [(most,)] = server.execute("SHOW max_connections").fetchall()
                server.execute(f"ALTER SYSTEM SET max_connections = {CONNECTIONS}")
            if int(most) == CONNECTIONS:
                yield url
                return


def peer_python() -> Path:
    """Return the interpreter that has the peer's packages."""
    return PEER / "bin" / "python"


def install_peer() -> Path:
    """Make the peer's environment, once; returns its interpreter."""
    stamp = PEER / "installed"
    wanted = "\n".join(PEER_PACKAGES)
    if not stamp.exists() or stamp.read_text() != wanted:
        print("· installing django-eventstream", file=sys.stderr)
        subprocess.run([sys.executable, "-m", "venv", "--clear", PEER], check=True)
        pip = [str(peer_python()), "-m", "pip", "install", "-qq", *PEER_PACKAGES]
        subprocess.run(pip, check=True)
        stamp.write_text(wanted)
    return peer_python()


def migrate(python: str | Path, settings: str, environ: dict[str, str]) -> None:
    """Create a side's tables."""
    named = {"DJANGO_SETTINGS_MODULE": settings, "PEER_STORAGE": "database"}
    subprocess.run(
        [python, "-m", "django", "migrate", "-v", "0"],
        check=True,
        cwd=ROOT,
        env=os.environ | named | environ,
    )


def new_database(url: str, name: str) -> str:
    """Create an empty database on the server of a URL, and return its own URL."""
    with psycopg.connect(url, autocommit=True) as server:
        server.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
        server.execute(f"CREATE DATABASE {name}")
    return urlsplit(url)._replace(path=f"/{name}").geturl()
