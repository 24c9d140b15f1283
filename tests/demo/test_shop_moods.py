"""The shop can be told to answer badly, with the change made or not."""

import time
from typing import Any
from uuid import uuid4

import httpx
import pytest

from tests.demo.conftest import Shop
from tests.demo.maya import SECRET, Maya, callbacks, sign_callback

UNCERTAIN = ["5xx", "garbage", "4xx", "drop"]


def try_refund(maya: Maya, run: str) -> httpx.Response | None:
    try:
        return maya.refund(run_id=run)
    except httpx.TransportError:
        return None


def is_a_result(response: httpx.Response | None) -> bool:
    if response is None or response.status_code != 200:
        return False
    kind: str | None = response.headers.get("content-type")
    return kind == "application/json"


@pytest.mark.parametrize("mood", UNCERTAIN)
def test_a_bad_answer_without_the_effect(maya: Maya, mood: str) -> None:
    maya.control(mood=mood, times=1, effect=False).raise_for_status()
    run = str(uuid4())
    assert not is_a_result(try_refund(maya, run))
    assert maya.refunds() == []
    assert maya.by_run(run) == {"status": "not_found"}
    assert maya.refund(run_id=run).json()["status"] == "done"
    assert len(maya.refunds()) == 1


@pytest.mark.parametrize("mood", UNCERTAIN)
def test_a_bad_answer_with_the_effect(maya: Maya, mood: str) -> None:
    maya.control(mood=mood, times=1, effect=True).raise_for_status()
    run = str(uuid4())
    assert not is_a_result(try_refund(maya, run))
    assert len(maya.refunds()) == 1
    assert maya.by_run(run)["data"]["status"] == "done"
    assert maya.refund(run_id=run).json()["status"] == "done"
    assert len(maya.refunds()) == 1


@pytest.mark.parametrize(
    ("mood", "status"), [("5xx", 503), ("4xx", 409), ("garbage", 200)]
)
def test_each_bad_answer_is_what_it_is_called(
    maya: Maya, mood: str, status: int
) -> None:
    maya.control(mood=mood)
    assert maya.refund().status_code == status


def test_a_dropped_connection_never_becomes_an_answer(maya: Maya) -> None:
    maya.control(mood="drop")
    with pytest.raises(httpx.RemoteProtocolError):
        maya.refund()


def test_a_slow_answer_comes_late_with_the_change_made(maya: Maya) -> None:
    maya.control(mood="slow", seconds=0.5)
    start = time.monotonic()
    assert maya.refund().json()["status"] == "done"
    assert time.monotonic() - start >= 0.5
    assert len(maya.refunds()) == 1


def test_a_slow_shop_can_forget_the_change(maya: Maya) -> None:
    maya.control(mood="slow", seconds=0.1, effect=False)
    assert maya.refund().status_code == 503
    assert maya.refunds() == []


def test_a_mood_passes_after_its_times(maya: Maya) -> None:
    maya.control(mood="5xx", times=2)
    codes = [maya.refund().status_code for _ in range(3)]
    assert codes == [503, 503, 200]


def test_lookups_have_a_mood_of_their_own(maya: Maya) -> None:
    maya.control(mood="5xx", on="lookups", times=1)
    assert maya.refund().status_code == 200
    asked = {"order_id": "4821"}
    assert maya.lookup("get_order", asked).status_code == 503
    assert maya.lookup("get_order", asked).json()["status"] == "found"


@pytest.mark.parametrize("effect", [False, True])
def test_a_pending_change_is_settled_by_a_signed_callback(
    maya: Maya, shop: Shop, effect: bool
) -> None:
    run = str(uuid4())
    maya.control(mood="pending", times=1, effect=effect)
    pending = maya.refund(run_id=run)
    assert pending.json()["status"] == "pending"
    assert maya.refund(run_id=run).content == pending.content
    assert len(maya.refunds()) == int(effect)
    with callbacks(shop.maya_port) as arrived:
        sent = maya.control("/callback", run_id=run, status="done").json()
    assert sent["status"] == 200
    [callback] = arrived
    assert callback.path == f"/api/agent/actions/{run}/callback"
    stamp = callback.headers["x-maf-timestamp"]
    expected = sign_callback(SECRET, run, stamp, callback.body)
    assert callback.headers["x-maf-signature"] == expected
    assert abs(int(stamp) - time.time()) < 60
    assert sent["sent"]["status"] == "done"
    assert len(maya.refunds()) == 1
    assert maya.by_run(run)["data"] == sent["sent"]


def test_a_pending_change_can_end_as_failed(maya: Maya, shop: Shop) -> None:
    run = str(uuid4())
    maya.control(mood="pending", times=1)
    maya.refund(run_id=run)
    with callbacks(shop.maya_port):
        sent = maya.control("/callback", run_id=run, status="failed").json()
    assert (sent["sent"]["status"], sent["status"]) == ("failed", 409)
    assert maya.refunds() == []
    assert maya.by_run(run)["data"]["status"] == "failed"


def test_a_pending_change_that_became_impossible_ends_as_failed(
    maya: Maya, shop: Shop
) -> None:
    run = str(uuid4())
    maya.control(mood="pending", times=1)
    maya.refund(run_id=run)
    maya.refund()
    with callbacks(shop.maya_port):
        sent = maya.control("/callback", run_id=run, status="done").json()
    assert sent["sent"]["status"] == "failed"
    assert len(maya.refunds()) == 1


def test_a_change_that_was_written_cannot_be_called_failed(
    maya: Maya, shop: Shop
) -> None:
    run = str(uuid4())
    maya.control(mood="pending", times=1, effect=True)
    maya.refund(run_id=run)
    with callbacks(shop.maya_port) as arrived:
        answer = maya.control("/callback", run_id=run, status="failed")
    assert (answer.status_code, answer.json()["code"]) == (409, "already_written")
    assert arrived == []


def test_a_callback_never_rewrites_a_final_answer(maya: Maya, shop: Shop) -> None:
    run = str(uuid4())
    done = maya.refund(run_id=run).json()
    with callbacks(shop.maya_port) as arrived:
        maya.control("/callback", run_id=run, status="failed")
    assert arrived[0].body == b'{"status":"failed"}'
    assert maya.by_run(run)["data"] == done


def test_a_pending_change_that_cannot_be_made_says_so_at_once(maya: Maya) -> None:
    maya.control(mood="pending", times=1, effect=True)
    assert maya.cancel("4821").json()["status"] == "failed"


@pytest.mark.parametrize(
    "asked",
    [
        {},
        {"mood": "sad"},
        {"mood": "slow", "seconds": -1},
        {"mood": "slow", "seconds": 1e9},
        {"mood": "5xx", "times": 0},
        {"mood": "5xx", "effect": "yes"},
        {"mood": "5xx", "on": "everything"},
        {"mood": "pending", "on": "lookups"},
        {"mood": "5xx", "until": "noon"},
        {"mood": "ok", "effect": False},
    ],
)
def test_an_impossible_mood_is_refused(maya: Maya, asked: dict[str, Any]) -> None:
    assert maya.control(**asked).status_code == 400
    assert maya.refund().status_code == 200
