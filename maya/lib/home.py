"""Where embedded servers keep their data, whom they run as, and who may use them now.

Without root all this is simple: the data lie in the folder that was asked for, and the
servers run as we do. As root they run as another user (PostgreSQL insists), who may be
unable to reach that folder or the programs; then both live under `ROOT_CACHE`, and the
folder holds a link named `home` to its data.
"""

import fcntl
import hashlib
import os
import pwd
import secrets
import shutil
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from maya.lib.guarded import SAME_USER

ROOT_CACHE = Path("/var/cache/maya")
"""Ours, made by root, readable by all: for what cannot stay where it is."""
NOBODY = "nobody"
EARLIER_RUN_SECONDS = 30
"""A killed run's servers get this long to end (their guards take half of it)."""


class HomeError(Exception):
    """The folder cannot be used. The message is one sentence for people."""


@dataclass(frozen=True)
class Home:
    """A locked folder for the data of one set of servers.

    Whoever inherits the descriptor `lock` keeps the folder locked, so every server
    gets it: having the lock proves that no server of an earlier run is alive.
    """

    path: Path
    user: tuple[int, int]
    lock: int
    password: str

    def give(self, path: Path) -> Path:
        """Hands a path to the servers' user, and returns it."""
        if self.user != SAME_USER:
            os.chown(path, *self.user)
        return path

    def folder(self, name: str) -> Path:
        """Returns a private folder that belongs to the servers' user."""
        path = self.path / name
        path.mkdir(mode=0o700, exist_ok=True)
        return self.give(path)

    def file(self, name: str, text: str = "") -> Path:
        """Writes a private file that belongs to the servers' user."""
        path = self.path / name
        path.touch(mode=0o600)
        path.write_text(text)
        return self.give(path)

    def program(self, program: Path, package: Path, label: str) -> Path:
        """Returns `program`, or its twin in a copy of its package for everybody.

        `label` names the copy: the package's name and version.
        """
        if self.user == SAME_USER or reachable(program, self.user):
            return program
        copy = ROOT_CACHE / "programs" / label
        if not copy.exists():
            copy_for_all(package, copy)
        return copy / program.relative_to(package.parent)


def open_home(var: Path) -> Home:
    """Locks the home of `var`, making both where they are missing.

    Raises HomeError when the folder cannot be written or another run uses it.
    """
    try:
        var.mkdir(parents=True, exist_ok=True)
        place, user, is_new = choose_place(var)
        lock = take_lock(place)
        if is_new:
            empty(place)
        return Home(place, user, lock, read_password(place, user))
    except OSError as error:
        raise HomeError(f"{error.filename or var}: {error.strerror}.") from error


def choose_place(var: Path) -> tuple[Path, tuple[int, int], bool]:
    """Returns the folder for the data, the servers' user, and if it was just parked."""
    link = var / "home"
    place = link.resolve() if link.is_symlink() else var.resolve()
    user = account(place)
    if user == SAME_USER or reachable(place, user):
        return place, user, False
    name = hashlib.sha256(str(var.resolve()).encode()).hexdigest()[:16]
    place = public_folder(ROOT_CACHE / "homes" / name)
    link.unlink(missing_ok=True)
    link.symlink_to(place)
    return place, account(place), True


def account(place: Path) -> tuple[int, int]:
    """Returns whom to run servers as: as root, the owner of their data, else nobody."""
    if os.geteuid() != 0:
        return SAME_USER
    data = place / "pg"
    if data.exists() and data.stat().st_uid != 0:
        return data.stat().st_uid, data.stat().st_gid
    nobody = pwd.getpwnam(NOBODY)
    return nobody.pw_uid, nobody.pw_gid


def reachable(path: Path, user: tuple[int, int]) -> bool:
    """Tells if a user may enter a folder or run a program, by trying it as that user.

    Mode bits alone would not do: there are ACLs and `noexec` mounts.
    """
    uid, gid = user
    probe = subprocess.run(
        ["/bin/sh", "-c", 'test -r "$1" && test -x "$1"', "sh", path],
        user=uid,
        group=gid,
        extra_groups=[],
        cwd="/",
    )
    return probe.returncode == 0


def public_folder(path: Path) -> Path:
    """Makes a folder of ours under ROOT_CACHE for everybody to enter, umask or not."""
    if path != ROOT_CACHE:
        public_folder(path.parent)
    path.mkdir(parents=True, exist_ok=True)
    path.chmod(0o755)
    return path


def copy_for_all(package: Path, copy: Path) -> None:
    """Copies a package to where everybody may run its programs, all of it or nothing.

    Wheels keep foreign libraries in a folder beside the package, found relatively.
    """
    public_folder(copy.parent)
    fresh = Path(tempfile.mkdtemp(dir=copy.parent))
    try:
        for part in (package, package.with_name(f"{package.name}.libs")):
            if part.exists():
                shutil.copytree(part, fresh / part.name, symlinks=True)
        open_for_all(fresh)
        fresh.rename(copy)
    except OSError:
        shutil.rmtree(fresh)
        if not copy.exists():  # else another run was faster, and its copy is as good
            raise


def open_for_all(tree: Path) -> None:
    """Lets everybody read a tree of ours, and run what its owner can."""
    for path in [tree, *tree.rglob("*")]:
        if not path.is_symlink():
            can_run = path.is_dir() or path.stat().st_mode & 0o100
            path.chmod(0o755 if can_run else 0o644)


def take_lock(place: Path) -> int:
    """Returns the descriptor of the folder's lock, once no earlier server is alive."""
    lock = os.open(place / "lock", os.O_RDWR | os.O_CREAT, 0o600)
    deadline = time.monotonic() + EARLIER_RUN_SECONDS
    while not try_lock(lock):
        holder = int(os.pread(lock, 20, 0) or 0)
        if is_alive(holder):
            raise HomeError(f"{place} is in use by another run (process {holder}).")
        if time.monotonic() > deadline:
            raise HomeError(f"Servers of an earlier run are still alive in {place}.")
        time.sleep(0.05)
    os.ftruncate(lock, 0)
    os.pwrite(lock, str(os.getpid()).encode(), 0)
    return lock


def try_lock(lock: int) -> bool:
    """Takes the lock, if nobody has it."""
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def is_alive(pid: int) -> bool:
    """Tells if there is such a process, whoever owns it."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return pid > 0


def empty(place: Path) -> None:
    """Removes what a folder deleted since then had parked here."""
    for path in place.iterdir():
        if path.is_dir():
            shutil.rmtree(path)
        elif path.name != "lock":
            path.unlink()


def read_password(place: Path, user: tuple[int, int]) -> str:
    """Returns the servers' password, generated the first time (hex, 128 bits)."""
    path = place / "password"
    if not path.exists() or not path.read_text():
        path.touch(mode=0o600)
        path.write_text(secrets.token_hex(16))
        if user != SAME_USER:
            os.chown(path, *user)
    return path.read_text()
