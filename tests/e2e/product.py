"""The whole product as `make demo` runs it, on ports and in a folder of its own."""

import os
import subprocess
import sys
import threading
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import httpx
import psycopg

from maya.demonstration.keys import parse
from maya.lib.servers import ensure_database
from tests.demo.process import free_port

ROOT = Path(__file__).parents[2]
PATIENCE_SECONDS = 120
READY = "Ctrl-C"
DATABASE, BANK_DATABASE, REDIS_INDEX = "maya_e2e", "maya_e2e_bank", 9


@dataclass(frozen=True)
class Product:
    """Where the running demo is, and how its owner gets in."""

    maya: str
    shop: str
    bank: str
    user: str
    password: str
    bank_database: str
    said: list[str]
    keys: Path
    var: Path
    services: dict[str, str]

    @property
    def addresses(self) -> tuple[str, str, str]:
        """Return where Maya and the two companies are."""
        return self.maya, self.shop, self.bank

    def refunds(self) -> list[dict[str, object]]:
        """Return the refunds in the shop's own database."""
        return list(httpx.get(f"{self.shop}/control/refunds").json())

    def changes_sent(self) -> list[dict[str, object]]:
        """Return the changes that reached the shop."""
        return [
            entry
            for entry in httpx.get(f"{self.shop}/control/log").json()
            if entry["path"] in {"/agent/refund-order", "/agent/cancel-order"}
        ]

    def applied(self) -> list[tuple[object, ...]]:
        """Return the rows of banorte.acciones_aplicadas."""
        with psycopg.connect(self.bank_database) as bank:
            return bank.execute(
                "SELECT tipo_accion, cliente_id, "
                "(payload #>> '{argumentos,plazoMeses}')::int "
                "FROM banorte.acciones_aplicadas"
            ).fetchall()


class Running:
    """The demo's process, from its first line to its end."""

    def __init__(self, var: Path) -> None:
        """Start it beside whatever else runs; services of the environment are used."""
        ports = {name: str(free_port()) for name in ("MAYA", "SHOP", "BANK")}
        self.origins = {n: f"http://127.0.0.1:{p}" for n, p in ports.items()}
        self.var, self.said = var, list[str]()
        self.services = _own_services()
        self.environ = {
            **{k: v for k, v in os.environ.items() if not k.startswith("MAYA_")},
            **{f"{name}_PORT": port for name, port in ports.items()},
            **self.services,
            "LANG": "C.UTF-8",
        }
        self.ready = threading.Event()
        self.process = subprocess.Popen(
            [sys.executable, "manage.py", "demo", "--var", str(var)],
            cwd=ROOT,
            env=self.environ | {"DJANGO_SETTINGS_MODULE": "maya.settings"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.said.append(line.rstrip())
            if READY in line:
                self.ready.set()
        self.ready.set()

    def wait(self) -> Product:
        """Return the product once it is up."""
        self.ready.wait(PATIENCE_SECONDS)
        if self.process.poll() is not None or not self.ready.is_set():
            raise RuntimeError("the demo did not start:\n" + "\n".join(self.said))
        keys = parse((self.var / "demo.env").read_text())
        return Product(
            maya=self.origins["MAYA"],
            shop=self.origins["SHOP"],
            bank=self.origins["BANK"],
            user=keys["MAYA_OWNER_USER"],
            password=keys["MAYA_OWNER_PASSWORD"],
            bank_database=self.environ["BANK_DATABASE_URL"],
            said=self.said,
            keys=self.var / "demo.env",
            var=self.var,
            services=self.services,
        )

    def stop(self) -> None:
        """End it as Ctrl-C would."""
        self.process.terminate()
        self.process.wait(timeout=60)


def _own_services() -> dict[str, str]:
    """Give the demo databases of its own on the servers that tests already have."""
    url, redis = os.environ["DATABASE_URL"], urlsplit(os.environ["REDIS_URL"])
    with psycopg.connect(url, autocommit=True) as connection:
        for name in (DATABASE, BANK_DATABASE):
            connection.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
    return {
        "DATABASE_URL": ensure_database(url, DATABASE),
        "BANK_DATABASE_URL": ensure_database(url, BANK_DATABASE),
        "REDIS_URL": urlunsplit(redis._replace(path=f"/{REDIS_INDEX}")),
    }
