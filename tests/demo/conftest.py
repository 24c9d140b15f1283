"""The shop as a running process, as new before every test."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest

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
