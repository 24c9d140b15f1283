"""The whole of Maya on one machine, with two invented companies, until Ctrl-C.

Everything that can stand in the way is looked at before anything is started; every
process has a guard, so nothing outlives this one, however it ends.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from maya.demonstration.children import Child, Children, answers, has_said
from maya.demonstration.environ import BANK, SHOP, Environ
from maya.demonstration.keys import read_keys
from maya.demonstration.ports import HOST, Ports, free_ports
from maya.demonstration.problem import DemoProblem
from maya.demonstration.words import progress, say, words
from maya.lib.guard import forward_signals
from maya.lib.services import Services, interrupt, services

MANAGE = "manage.py"
DAPHNE = ["-m", "daphne", "maya.asgi:application", "-b", HOST, "-p"]
CELERY = [
    *("-m", "celery", "-A", "maya", "worker", "-B"),
    *("--pool", "threads", "--concurrency", "8", "-Q", "celery,agente"),
    *("--loglevel", "INFO", "--without-gossip", "--without-mingle"),
]
CELERY_IS_READY = " ready."


def run(var: Path) -> None:
    """Runs the demo until a signal ends it, with its data under `var`.

    Raises DemoProblem or ServicesError when something stands in the way or a process
    ends, with nothing left running.
    """
    ports = free_ports()
    secrets_file = var / "demo.env"
    folder, (keys, are_new) = prepare(var / "demo", secrets_file)
    forward_signals(interrupt)
    progress("services")
    with services(folder / "services") as running:
        environ = Environ(folder, ports, keys, running.environ)
        with looked_after(folder / "logs", running) as children:
            start_everything(children, environ, ports)
            show_addresses(ports)
            show_owner(keys, secrets_file, are_new=are_new)
            children.watch()


def prepare(
    folder: Path, secrets_file: Path
) -> tuple[Path, tuple[dict[str, str], bool]]:
    """Makes the demo's folder and secrets; raises DemoProblem where it may not."""
    try:
        (folder / "logs").mkdir(parents=True, exist_ok=True)
        return folder, read_keys(secrets_file)
    except OSError as error:
        path = error.filename or folder
        raise DemoProblem(
            words("not writable", path=path, reason=error.strerror)
        ) from error


@contextmanager
def looked_after(logs: Path, running: Services) -> Iterator[Children]:
    """Gives the demo's processes, and stops them in the end."""
    servers = [Child(one.name, one.process, one.log) for one in running.servers]
    children = Children(logs, servers)
    try:
        yield children
    finally:
        say(words("stopping"))
        children.stop()


def start_everything(children: Children, environ: Environ, ports: Ports) -> None:
    """Starts every process in order, what can at the same time, and waits for it."""
    maya = environ.maya()
    bank = children.start("bank", ["-m", "demo.bank"], environ.company("BANK_"))
    shop = children.start("shop", ["-m", "demo.shop"], environ.company("SHOP_"))
    migrate = children.start("migrate", [MANAGE, "migrate", "-v0"], maya, ends=True)
    static = [MANAGE, "collectstatic", "--noinput", "-v0"]
    collect = children.start("static", static, maya, ends=True)
    children.wait_for_end(migrate)
    children.wait_until(bank, answers(ports.bank_url))
    children.wait_until(shop, answers(ports.shop_url))
    seed = children.start("seed", [MANAGE, "seed_demo"], environ.author(), ends=True)
    children.wait_for_end(seed)
    children.wait_for_end(collect)
    worker = children.start("worker", CELERY, maya)
    web = children.start("web", [*DAPHNE, str(ports.maya)], maya)
    children.wait_until(web, answers(f"{ports.maya_url}/admin/login/"))
    children.wait_until(worker, has_said(worker, CELERY_IS_READY))


def show_addresses(ports: Ports) -> None:
    """Says where everything is."""
    say(f"\n{words('ready')}\n")
    for key, address in (
        ("page shop", f"{ports.shop_url}/"),
        ("page bank", f"{ports.bank_url}/"),
        ("chat shop", f"{ports.maya_url}/chat/{SHOP}/"),
        ("chat bank", f"{ports.maya_url}/chat/{BANK}/"),
        ("admin", f"{ports.maya_url}/admin/"),
        ("api", f"{ports.maya_url}/api/docs"),
    ):
        show(key, address)


def show_owner(keys: dict[str, str], secrets_file: Path, *, are_new: bool) -> None:
    """Says how the owner signs in; the password itself only the first time."""
    show("user", keys["MAYA_OWNER_USER"])
    if are_new:
        show("password", keys["MAYA_OWNER_PASSWORD"])
    else:
        show("kept", words("kept in", path=os.path.relpath(secrets_file)))
    say("")


def show(key: str, value: str) -> None:
    """Prints a name and what it stands for, aligned."""
    say(f"  {words(key):<34} {value}")
