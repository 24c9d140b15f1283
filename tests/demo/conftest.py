"""Both companies as running processes, as new before every test."""

import os
import secrets
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from tests.demo.bank import TOKEN, Bank
from tests.demo.maya import SECRET, Maya
from tests.demo.process import free_port, running


@dataclass(frozen=True)
class Shop:
    """Where the running shop listens, keeps its data and looks for Maya."""

    url: str
    database: Path
    maya_port: int
    statuses: dict[str, str]


@pytest.fixture(scope="session")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shop]:
    """Run the shop once for all tests."""
    port, maya_port = free_port(), free_port()
    database = tmp_path_factory.mktemp("shop") / "shop.sqlite3"
    env = {
        "SHOP_PORT": str(port),
        "SHOP_DB": str(database),
        "SHOP_SECRET": SECRET,
        "SHOP_SITE_ID": "tienda",
        "SHOP_KID": "k1",
        "MAYA_URL": f"http://127.0.0.1:{maya_port}",
    }
    with running("demo.shop", port, env) as url:
        with closing(sqlite3.connect(database)) as db:
            statuses = dict(db.execute("SELECT order_id, status FROM orders"))
        yield Shop(url, database, maya_port, statuses)


@pytest.fixture
def maya(shop: Shop) -> Iterator[Maya]:
    """Return a hand-made Maya in front of a shop where nothing has happened yet."""
    with closing(sqlite3.connect(shop.database)) as db, db:
        db.executescript("DELETE FROM refunds; DELETE FROM changes;")
        db.execute("DELETE FROM requests")
        for order_id, status in shop.statuses.items():
            db.execute(
                "UPDATE orders SET status = ? WHERE order_id = ?", (status, order_id)
            )
    maya = Maya(shop.url)
    with maya.client:
        for target in ("changes", "lookups"):
            maya.control(mood="ok", on=target).raise_for_status()
        yield maya


@pytest.fixture(scope="session")
def running_bank() -> Iterator[Bank]:
    """Run the bank once for all tests, on a scratch database."""
    port = free_port()
    with scratch_database() as database:
        env = {
            "BANK_PORT": str(port),
            "BANK_DATABASE_URL": database,
            "BANK_SECRET": SECRET,
            "BANK_TOKEN": TOKEN,
            "BANK_SITE_ID": "banco",
            "BANK_KID": "k2",
            "MAYA_URL": "http://127.0.0.1:8700",
        }
        with running("demo.bank", port, env) as url:
            yield Bank(url, database)


@pytest.fixture
def bank(running_bank: Bank) -> Bank:
    """Return a bank where nothing has happened yet."""
    running_bank.rows(
        "TRUNCATE banorte.acciones_aplicadas, banorte.apartados;"
        "UPDATE banorte.tarjetas SET plan_meses = NULL, plan_tasa = NULL,"
        " plan_pago = NULL, vencida_desde ="
        " CASE id WHEN 'tc_4821' THEN CURRENT_DATE - 12 END;"
        "UPDATE banorte.clientes SET disponible = 9200 WHERE id = 'beto'"
    )
    return running_bank


@contextmanager
def scratch_database() -> Iterator[str]:
    """Create an empty database beside the tests' own, and drop it afterwards."""
    name = f"bank_{secrets.token_hex(6)}"
    server = os.environ["DATABASE_URL"]
    with psycopg.connect(server, autocommit=True) as db:
        db.execute(f"CREATE DATABASE {name}".encode())
        try:
            yield make_conninfo(server, dbname=name)
        finally:
            db.execute(f"DROP DATABASE {name} WITH (FORCE)".encode())
