"""Starts `manage.py demo` for real, on ports and in a folder of its own."""

import http.cookiejar
import os
import re
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil

ROOT = Path(__file__).resolve().parents[3]
PATIENCE_SECONDS = 180
"""A first start takes about ten seconds on a machine with nothing else to do."""
OURS = (
    "MAYA_",
    "SHOP_",
    "BANK_",
    "DATABASE_URL",
    "REDIS_URL",
    "DJANGO_SETTINGS_MODULE",
)


def environ() -> dict[str, str]:
    """Returns our environment as it was before this test run, with free ports."""
    before = {k: v for k, v in os.environ.items() if not k.startswith(OURS)}
    names = ("MAYA_PORT", "SHOP_PORT", "BANK_PORT")
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in names]
    ports = [str(one.getsockname()[1]) for one in sockets]
    for one in sockets:
        one.close()
    return before | {"LANG": "C.UTF-8"} | dict(zip(names, ports, strict=True))


class Demo:
    """A running demo: what it said, and the processes under it."""

    def __init__(self, var: Path) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "manage.py", "demo", "--var", str(var)],
            cwd=ROOT,
            env=environ(),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.said = ""
        self.tree: list[psutil.Process] = []

    def wait_until_ready(self) -> None:
        """Returns when the demo has said all that it says; notes who is alive."""
        assert self.process.stdout
        for line in self.process.stdout:
            self.said += line
            if re.match(r"  Password", line):
                self.tree = psutil.Process(self.process.pid).children(recursive=True)
                return
        _, complaint = self.process.communicate()
        raise AssertionError(f"the demo did not start:\n{self.said}{complaint}")

    def told(self, name: str) -> str:
        """Returns what the demo said of a name."""
        found = re.search(rf"^  {re.escape(name)}\s+(\S.*)$", self.said, re.MULTILINE)
        assert found, self.said
        return found.group(1)

    def running(self, *words: str) -> psutil.Process:
        """Returns the process under a guard whose command has all these words."""
        return next(
            process
            for process in self.tree
            if all(word in process.cmdline() for word in words)
            and not any(part.endswith("guard.py") for part in process.cmdline())
        )

    def end(self, number: signal.Signals) -> int:
        """Sends a signal and returns the exit code."""
        self.process.send_signal(number)
        return self.process.wait(PATIENCE_SECONDS)

    def survivors(self) -> list[psutil.Process]:
        """Returns who is still alive, after giving them time to end."""
        assert self.tree
        return psutil.wait_procs(self.tree, timeout=PATIENCE_SECONDS)[1]


@contextmanager
def showing(var: Path) -> Iterator[Demo]:
    """Runs a demo until it is ready, and ends it however the test ends."""
    demo = Demo(var)
    try:
        demo.wait_until_ready()
        yield demo
    finally:
        demo.process.terminate()
        demo.process.communicate(timeout=PATIENCE_SECONDS)


def answer(url: str) -> int:
    """Returns the status of what a web server answers."""
    try:
        with urllib.request.urlopen(url, timeout=30) as response:
            return int(response.status)
    except urllib.error.HTTPError as error:
        return error.code


def sign_in(admin: str, *, user: str, password: str) -> str:
    """Signs in to the admin as a browser would and returns the address it leads to."""
    jar = http.cookiejar.CookieJar()
    browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(jar))
    login = f"{admin}login/?next=/admin/"
    browser.open(login, timeout=30).close()
    token = next(cookie.value for cookie in jar if cookie.name == "csrftoken")
    form = {"username": user, "password": password, "csrfmiddlewaretoken": token}
    body = urllib.parse.urlencode(form).encode()
    request = urllib.request.Request(login, body, {"Referer": login})
    with browser.open(request, timeout=30) as response:
        return str(response.url)
