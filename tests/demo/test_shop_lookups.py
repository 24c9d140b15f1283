"""What the shop answers when it is only asked."""

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest

from tests.demo.maya import ANA, LUIS, Maya


def order(
    maya: Maya, order_id: str, customer: dict[str, str] | None = ANA
) -> dict[str, Any]:
    answer = maya.lookup("get_order", {"order_id": order_id}, customer)
    assert answer.status_code == 200
    return dict(answer.json())


def test_the_story_order_is_as_the_story_tells(maya: Maya) -> None:
    answer = order(maya, "4821")
    assert answer["status"] == "found"
    today = datetime.now(UTC).date()
    assert answer["data"] == {
        "order_id": "4821",
        "status": "delivered",
        "product": "Auriculares Aura",
        "amount": "79.00",
        "currency": "EUR",
        "ordered_on": str(today - timedelta(days=16)),
        "shipped_on": str(today - timedelta(days=14)),
        "delivered_on": str(today - timedelta(days=12)),
        "days_since_delivery": 12,
        "cancellable": False,
        "refundable": True,
    }


def test_a_found_order_carries_a_strict_status_card(maya: Maya) -> None:
    card = order(maya, "4821")["card"]
    allowed = {"kind", "title", "fields", "status", "reference", "asOf", "link"}
    assert card.keys() <= allowed
    assert card["kind"] == "status"
    assert card["status"] == {"label": "Entregado", "tone": "success"}
    assert {"label": "Importe", "value": "79,00 EUR"} in card["fields"]
    assert all(field.keys() == {"label", "value"} for field in card["fields"])


def test_no_field_says_whether_the_parcel_was_opened(maya: Maya) -> None:
    said = str(order(maya, "4821")).lower()
    assert not [word for word in ("open", "abiert", "seal") if word in said]


def test_thirty_days_after_delivery_is_the_last_refundable_day(maya: Maya) -> None:
    last_day, too_late = order(maya, "4808"), order(maya, "4702")
    assert last_day["data"]["days_since_delivery"] == 30
    assert last_day["data"]["refundable"] is True
    assert too_late["data"]["days_since_delivery"] > 30
    assert too_late["data"]["refundable"] is False


@pytest.mark.parametrize("customer", [LUIS, None, {"id": "ANA"}])
def test_another_persons_order_does_not_exist(
    maya: Maya, customer: dict[str, str] | None
) -> None:
    assert order(maya, "4821", customer) == {"status": "not_found"}
    assert order(maya, "9999", customer) == {"status": "not_found"}


def test_the_status_lookup_returns_the_changes_own_answer(maya: Maya) -> None:
    run = str(uuid4())
    answer = maya.refund(run_id=run).json()
    assert maya.by_run(run) == {"status": "found", "data": answer}


def test_the_status_lookup_knows_no_key_it_never_saw(maya: Maya) -> None:
    assert maya.by_run(str(uuid4())) == {"status": "not_found"}


def test_the_status_lookup_tells_nobody_elses_run(maya: Maya) -> None:
    run = str(uuid4())
    maya.refund(run_id=run)
    assert maya.by_run(run, LUIS) == {"status": "not_found"}


def test_asking_changes_nothing(maya: Maya) -> None:
    before = order(maya, "4821")["data"]
    order(maya, "4821")
    assert order(maya, "4821")["data"] == before
    assert maya.refunds() == []
