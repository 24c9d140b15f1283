"""The back room opens from this machine alone, and never to a web page."""

import sqlite3
from contextlib import closing
from pathlib import Path

import httpx
import pytest

from tests.demo.conftest import Shop
from tests.demo.maya import SECRET, Maya
from tests.demo.process import free_port, running

ADDRESSES = [
    ("POST", "/control"),
    ("POST", "/control/order"),
    ("POST", "/control/callback"),
    ("GET", "/control/log"),
    ("GET", "/control/refunds"),
]


@pytest.mark.parametrize(("method", "path"), ADDRESSES)
@pytest.mark.parametrize("host", ["shop.example", "127.0.0.1.nip.io:80", "[::2]:80"])
def test_another_host_name_is_refused(
    maya: Maya, shop: Shop, method: str, path: str, host: str
) -> None:
    body = {"mood": "5xx"} if method == "POST" else None
    answer = maya.client.request(
        method, shop.url + path, headers={"host": host}, json=body
    )
    assert answer.status_code == 403
    assert maya.refund().status_code == 200


def test_the_loopback_names_are_let_in(maya: Maya, shop: Shop) -> None:
    for host in ("localhost:8701", "127.0.0.1", "[::1]:8701"):
        answer = maya.client.get(f"{shop.url}/control/log", headers={"host": host})
        assert answer.status_code == 200


def test_a_form_of_another_page_cannot_change_the_mood(maya: Maya, shop: Shop) -> None:
    for kind in ("text/plain", "application/x-www-form-urlencoded"):
        headers = {"content-type": kind}
        answer = maya.client.post(
            f"{shop.url}/control", content=b'{"mood":"5xx"}', headers=headers
        )
        assert answer.status_code == 415
    assert maya.refund().status_code == 200


def test_the_shop_listens_on_the_loopback_address_alone(shop: Shop) -> None:
    port = httpx.URL(shop.url).port
    with pytest.raises(httpx.ConnectError):
        httpx.get(f"http://127.0.0.2:{port}/", timeout=2)


def test_an_order_moves_as_if_the_warehouse_had_done_it(maya: Maya) -> None:
    assert maya.control("/order", order_id="4830", status="shipped").status_code == 200
    assert maya.cancel("4830").json()["status"] == "failed"


def test_an_unknown_order_or_status_moves_nothing(maya: Maya) -> None:
    assert maya.control("/order", order_id="1", status="paid").status_code == 404
    assert maya.control("/order", order_id="4830", status="lost").status_code == 400


@pytest.mark.parametrize(
    "asked", [{}, {"run_id": "x"}, {"run_id": 1, "status": "done"}]
)
def test_a_callback_needs_a_run_and_an_end(
    maya: Maya, asked: dict[str, object]
) -> None:
    assert maya.control("/callback", **asked).status_code == 400


def test_a_restart_keeps_what_happened_and_moves_the_dates(tmp_path: Path) -> None:
    database, port = tmp_path / "shop.sqlite3", free_port()
    env = {
        "SHOP_PORT": str(port),
        "SHOP_DB": str(database),
        "SHOP_SECRET": SECRET,
        "MAYA_URL": "http://127.0.0.1:9",
    }
    with running("demo.shop", port, env) as url:
        assert Maya(url).refund().json()["status"] == "done"
    with closing(sqlite3.connect(database)) as db, db:
        db.execute("UPDATE orders SET delivered_on = '2020-01-01'")
    with running("demo.shop", port, env) as url:
        maya = Maya(url)
        data = maya.lookup("get_order", {"order_id": "4821"}).json()["data"]
        assert (data["days_since_delivery"], data["status"]) == (12, "refunded")
        assert len(maya.refunds()) == 1
        assert len(maya.log()) == 2
