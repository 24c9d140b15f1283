"""The stage: a database of its own, Valkey, the shop, the wire, workers, Maya's web."""

import random
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import psycopg
from psycopg import sql

from maya.lib.servers import at_database, ensure_database
from tests.demo.process import running
from tests.live.servers import ROOT, Valkey, Web, free_port

from .nursery import Nursery
from .plans import Plans
from .proxy import Proxy, passing
from .workers import Worker

DATABASE = "maya_faults"
SECRET = "test-secret-0123456789abcdef-0123456789"
"""The one that the cast's site has (``tests/acciones/cast.py``)."""
LEASE, SWEEP, HTTP = 2.0, 0.5, 1.0
DELAYS = (0.3, 0.6)
HORIZON_SECONDS = 6 * (LEASE + SWEEP + HTTP) + sum(DELAYS)
"""Three reads and three attempts, each as long as a lost one takes to be found."""


class QuietWeb(Web):
    """Maya's web with the settings that all of the stage has."""

    def environ(self) -> dict[str, str]:
        """Say so in its environment."""
        return super().environ() | {"DJANGO_SETTINGS_MODULE": "tests.faults.settings"}


@dataclass
class Stage:
    """Where everything is, and who is on it."""

    folder: Path
    server: str
    shop_port: int = field(default_factory=free_port)
    wire_port: int = field(default_factory=free_port)
    web_port: int = field(default_factory=free_port)
    workers: list[Worker] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.valkey = Valkey(folder=self.folder)
        self.books = self.folder / "shop.sqlite3"
        self.database_url = at_database(self.server, DATABASE)
        self.shop, self.wire, self.web = (
            f"http://127.0.0.1:{port}"
            for port in (self.shop_port, self.wire_port, self.web_port)
        )

    @property
    def environ(self) -> dict[str, str]:
        """Return Maya's settings: its clocks run fast, nothing else differs."""
        return {
            "DJANGO_SETTINGS_MODULE": "tests.faults.settings",
            "DATABASE_URL": self.database_url,
            "REDIS_URL": self.valkey.url,
            "MAYA_DEV_ENDPOINTS": self.wire,
            "MAYA_LEASE_SECONDS": str(LEASE),
            "MAYA_SWEEP_SECONDS": str(SWEEP),
            "MAYA_HTTP_SECONDS": str(HTTP),
            "MAYA_RETRY_DELAYS": ",".join(str(delay) for delay in DELAYS),
            "MAYA_DB_POOL": "20",
            "MAYA_LOG": "ERROR",
        }

    @contextmanager
    def set(self, source: random.Random, workers: int) -> Iterator[None]:
        """Start everything; whatever was started is stopped again."""
        with ExitStack() as stack:
            _drop(self.server)
            ensure_database(self.server, DATABASE)
            stack.callback(_drop, self.server)
            nursery = Nursery(self.environ)
            stack.callback(nursery.close)
            self.valkey.start()
            stack.callback(self.valkey.stop)
            stack.enter_context(running("demo.shop", self.shop_port, self._shop()))
            proxy = stack.enter_context(passing(self.shop_port, self.wire_port))
            migrate = [sys.executable, "manage.py", "migrate", "-v0"]
            subprocess.run(migrate, cwd=ROOT, check=True)
            self._hire(stack, nursery, proxy, source, workers)
            web = self._open()
            web.start()
            stack.callback(web.stop)
            yield

    def _open(self) -> Web:
        return QuietWeb(
            port=self.web_port,
            database_url=self.database_url,
            redis_url=self.valkey.url,
        )

    def _shop(self) -> dict[str, str]:
        return {
            "SHOP_PORT": str(self.shop_port),
            "SHOP_DB": str(self.books),
            "SHOP_SECRET": SECRET,
            "SHOP_SITE_ID": "tienda",
            "MAYA_URL": self.web,
        }

    def _hire(
        self,
        stack: ExitStack,
        nursery: Nursery,
        proxy: Proxy,
        source: random.Random,
        many: int,
    ) -> None:
        deaths = Plans(source)
        for number in range(many):
            name = f"worker-{number}"
            worker = Worker(name, self.folder, nursery, proxy, deaths)
            worker.start()
            stack.callback(worker.stop)
            self.workers.append(worker)

    def stock(self, many: int) -> list[str]:
        """Give the customer orders: every other to be refunded, the rest cancelled."""
        orders = [f"{'RC'[n % 2]}{n:05}" for n in range(many)]
        row = (
            "INSERT INTO orders SELECT :order, 'ana', 'Funda', 7900, 'EUR', :status,"
            " date('now', '-9 days'), NULL, date('now', :days)"
        )
        with closing(sqlite3.connect(self.books)) as db, db:
            for order in orders:
                goes_back = order.startswith("R")
                status = "delivered" if goes_back else "paid"
                days = "-5 days" if goes_back else None
                db.execute(row, {"order": order, "status": status, "days": days})
        return orders


def _drop(server: str) -> None:
    drop = sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)")
    with psycopg.connect(at_database(server, "postgres"), autocommit=True) as one:
        one.execute(drop.format(sql.Identifier(DATABASE)))
