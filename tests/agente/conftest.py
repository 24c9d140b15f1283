"""The demo's sites as they are seeded, in front of the real shop and the real bank."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from acciones.models import Customer, Site, Visitor
from acciones.visitors import open_session
from agente.knowledge.publish import publish
from agente.models import Agent, Policy
from maya.seeds.bank import write_bank
from maya.seeds.shop import write_shop
from tests.demo.process import free_port, running

from .talk import Talk

SECRET = "test-secret-0123456789abcdef-0123456789"
TOKEN = "bank-token-0123456789abcdef"
BANK_DATABASE = "maya_agent_tests_bank"


@dataclass(frozen=True)
class Shop:
    """The running shop, as its owner would look at it."""

    url: str
    database: Path
    statuses: dict[str, str]

    def mood(self, name: str, **more: Any) -> None:
        """Tell the shop how to answer from now on."""
        answer = httpx.post(f"{self.url}/control", json={"mood": name, **more})
        assert answer.status_code == 200, answer.text

    def log(self) -> list[dict[str, Any]]:
        """Return every request that reached the shop's agent endpoints."""
        return list(httpx.get(f"{self.url}/control/log").json())

    def paths(self) -> list[str]:
        """Return where the requests went."""
        return [str(request["path"]) for request in self.log()]

    def refunds(self) -> list[dict[str, Any]]:
        """Return the refunds in the shop's own database."""
        return list(httpx.get(f"{self.url}/control/refunds").json())

    def execute(self, sql: str, *args: Any) -> None:
        """Change the shop's world behind everybody's back."""
        with closing(sqlite3.connect(self.database)) as db, db:
            db.execute(sql, args)

    def reset(self) -> None:
        """Make the shop as new."""
        self.mood("ok")
        self.mood("ok", on="lookups")
        for table in ("refunds", "changes", "requests"):
            self.execute(f"DELETE FROM {table}")
        for order_id, status in self.statuses.items():
            self.execute(
                "UPDATE orders SET status = ? WHERE order_id = ?", status, order_id
            )


@dataclass(frozen=True)
class Bank:
    """The running bank and its database."""

    url: str
    database: str

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        """Read, or change, the bank's own database behind its back."""
        with psycopg.connect(self.database) as db:
            cursor = db.execute(query.encode())
            return cursor.fetchall() if cursor.description else []

    def reset(self) -> None:
        """Make the bank as new."""
        self.rows("DELETE FROM banorte.acciones_aplicadas")
        self.rows("DELETE FROM banorte.apartados")
        self.rows(
            "UPDATE banorte.tarjetas SET plan_meses = NULL, plan_tasa = NULL,"
            " plan_pago = NULL"
        )
        self.rows(
            "UPDATE banorte.tarjetas SET vencida_desde = CURRENT_DATE - 12"
            " WHERE id = 'tc_4821'"
        )


@pytest.fixture(scope="session")
def shop_process(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shop]:
    """Run the shop once for all tests."""
    port = free_port()
    database = tmp_path_factory.mktemp("shop") / "shop.sqlite3"
    env = {
        "SHOP_PORT": str(port),
        "SHOP_DB": str(database),
        "SHOP_SECRET": SECRET,
        "SHOP_SITE_ID": "tienda",
    }
    with running("demo.shop", port, env) as url:
        with closing(sqlite3.connect(database)) as db:
            statuses = dict(db.execute("SELECT order_id, status FROM orders"))
        yield Shop(url, database, statuses)


@pytest.fixture(scope="session")
def bank_process() -> Iterator[Bank]:
    """Run the bank once for all tests, on a database of its own."""
    server = os.environ["DATABASE_URL"]
    with psycopg.connect(server, autocommit=True) as db:
        db.execute(f"DROP DATABASE IF EXISTS {BANK_DATABASE} WITH (FORCE)".encode())
        db.execute(f"CREATE DATABASE {BANK_DATABASE}".encode())
    database = make_conninfo(server, dbname=BANK_DATABASE)
    port = free_port()
    env = {
        "BANK_PORT": str(port),
        "BANK_DATABASE_URL": database,
        "BANK_SECRET": SECRET,
        "BANK_TOKEN": TOKEN,
        "BANK_SITE_ID": "banco",
    }
    with running("demo.bank", port, env) as url:
        yield Bank(url, database)


@pytest.fixture
def shop(shop_process: Shop, settings: Any) -> Shop:
    """Return the shop as new, reachable past the SSRF rules."""
    shop_process.reset()
    settings.MAYA_DEV_ENDPOINTS = [*settings.MAYA_DEV_ENDPOINTS, shop_process.url]
    settings.MAYA_HTTP_SECONDS = 3
    return shop_process


@pytest.fixture
def bank(bank_process: Bank, settings: Any) -> Bank:
    """Return the bank as new, reachable past the SSRF rules."""
    bank_process.reset()
    settings.MAYA_DEV_ENDPOINTS = [*settings.MAYA_DEV_ENDPOINTS, bank_process.url]
    settings.MAYA_HTTP_SECONDS = 3
    return bank_process


@pytest.fixture
def tienda(transactional_db: None, shop: Shop) -> Site:
    """Return the shop's site as the demo writes it."""
    return write_shop(site_id="tienda", kid="k1", secret=SECRET, url=shop.url)


@pytest.fixture
def banco(transactional_db: None, bank: Bank) -> Site:
    """Return the bank's site as the demo writes it."""
    return write_bank(
        site_id="banco", kid="k1", secret=SECRET, url=bank.url, token=TOKEN
    )


def visitor_of(site: Site, external_id: str = "", name: str = "") -> Visitor:
    """Open a session, anonymous or of a customer."""
    visitor, _ = open_session(site)
    if external_id:
        visitor.customer, _ = Customer.objects.get_or_create(
            site=site, external_id=external_id, defaults={"name": name}
        )
        visitor.save()
    return visitor


@pytest.fixture
def ana(tienda: Site) -> Talk:
    """Return Ana, signed in at the shop."""
    return Talk(visitor_of(tienda, "ana", "Ana López"))


@pytest.fixture
def beto(banco: Site) -> Talk:
    """Return Beto, signed in at the bank."""
    return Talk(visitor_of(banco, "beto", "Beto Ruiz"))


@pytest.fixture
def plain_site(transactional_db: None) -> Site:
    """Return a site with two agents, a policy and no system behind it."""
    site = Site.objects.create(public_id="llano", name="Llano")
    for name, root, other in (("root", True, "other"), ("other", False, "root")):
        Agent.objects.create(
            site=site,
            name=name,
            title=name,
            description=f"Es {name}.",
            instructions="Responde.",
            tools=["search_policy", "ask_customer", "note_answer"],
            can_handoff_to=[other],
            is_root=root,
        )
    policy = Policy.objects.create(site=site, slug="returns", title="Devoluciones")
    publish(policy, "# Devoluciones\n\n## 1. Plazo\n\nHay 30 días para devoluciones.")
    return site


@pytest.fixture
def talk(plain_site: Site) -> Talk:
    """Return a visitor of that site."""
    return Talk(visitor_of(plain_site))
