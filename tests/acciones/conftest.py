"""The cast around a real shop process, as new before every test."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.acciones import cast as people
from tests.acciones.cast import SECRET, Cast
from tests.demo.process import free_port, running


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
        "SHOP_KID": "k1",
    }
    with running("demo.shop", port, env) as url:
        with closing(sqlite3.connect(database)) as db:
            statuses = dict(db.execute("SELECT order_id, status FROM orders"))
        yield Shop(url, database, statuses)


@pytest.fixture
def shop(shop_process: Shop, settings: Any) -> Shop:
    """Return the shop as new, reachable past the SSRF rules."""
    shop_process.reset()
    settings.MAYA_DEV_ENDPOINTS = [shop_process.url]
    settings.MAYA_HTTP_SECONDS = 1.5
    return shop_process


@pytest.fixture
def cast(transactional_db: None, shop: Shop) -> Cast:
    """Return the cast of one site in front of the shop."""
    return people.assemble(shop.url)
