"""A change happens once for each key, whole, and its answer is kept."""

from concurrent.futures import ThreadPoolExecutor
from uuid import uuid4

import pytest

from tests.demo.maya import ANA, LUIS, Maya, change_body

CARD_FIELDS = {"kind", "title", "fields", "status", "reference", "asOf", "link"}
ANSWER_FIELDS = {"status", "message", "reference", "card"}


def status_of(maya: Maya, order_id: str, customer: dict[str, str] = ANA) -> object:
    answer = maya.lookup("get_order", {"order_id": order_id}, customer).json()
    return answer["data"]["status"]


def test_a_refund_is_done_and_written_in_minor_units(maya: Maya) -> None:
    run = str(uuid4())
    response = maya.refund(run_id=run)
    assert response.status_code == 200
    assert response.json()["status"] == "done"
    [row] = maya.refunds()
    assert (row["order_id"], row["amount_minor"], row["currency"]) == (
        "4821",
        7900,
        "EUR",
    )
    assert (row["key"], row["customer"], row["reason"]) == (run, "ana", "")
    assert status_of(maya, "4821") == "refunded"


def test_a_reason_is_kept_with_the_refund(maya: Maya) -> None:
    given = {"order_id": "4821", "amount": "79.00", "reason": "Sin abrir"}
    assert maya.change("refund_order", given).json()["status"] == "done"
    assert maya.refunds()[0]["reason"] == "Sin abrir"


def test_a_cancelled_order_answers_as_the_contract_shows(maya: Maya) -> None:
    answer = maya.cancel("A128").json()
    assert (answer["status"], answer["reference"]) == ("done", "A128")
    assert answer["card"]["status"] == {"label": "Cancelado", "tone": "warning"}
    assert status_of(maya, "A128") == "cancelled"


@pytest.mark.parametrize("action", ["refund", "cancel"])
def test_an_answer_has_no_field_outside_the_contract(maya: Maya, action: str) -> None:
    answer = (maya.refund() if action == "refund" else maya.cancel("4830")).json()
    assert answer.keys() <= ANSWER_FIELDS
    assert answer["card"].keys() <= CARD_FIELDS


def test_a_repeated_key_gets_the_same_bytes_and_no_second_refund(maya: Maya) -> None:
    run = str(uuid4())
    first, second = maya.refund(run_id=run), maya.refund(run_id=run)
    assert second.content == first.content
    assert len(maya.refunds()) == 1


def test_another_key_cannot_refund_the_same_order_again(maya: Maya) -> None:
    maya.refund()
    again = maya.refund()
    assert (again.status_code, again.json()["status"]) == (200, "failed")
    assert len(maya.refunds()) == 1


def test_twenty_requests_at_once_with_one_key_make_one_refund(maya: Maya) -> None:
    run = str(uuid4())
    with ThreadPoolExecutor(20) as pool:
        answers = list(pool.map(lambda _: maya.refund(run_id=run), range(20)))
    assert {answer.content for answer in answers} == {answers[0].content}
    assert answers[0].json()["status"] == "done"
    assert len(maya.refunds()) == 1


def test_twenty_keys_at_once_for_one_order_make_one_refund(maya: Maya) -> None:
    with ThreadPoolExecutor(20) as pool:
        answers = list(pool.map(lambda _: maya.refund().json(), range(20)))
    assert sorted(a["status"] for a in answers) == ["done"] + ["failed"] * 19
    assert len(maya.refunds()) == 1


def test_a_key_of_another_body_is_refused(maya: Maya) -> None:
    run = str(uuid4())
    maya.cancel("4830", run_id=run)
    answer = maya.cancel("A128", run_id=run)
    assert (answer.status_code, answer.json()["code"]) == (422, "key_reused")
    assert status_of(maya, "A128") == "preparing"


def test_a_key_of_another_customer_is_refused(maya: Maya) -> None:
    run = str(uuid4())
    maya.cancel("4830", run_id=run)
    answer = maya.cancel("4833", run_id=run, customer=LUIS)
    assert (answer.status_code, answer.json()["code"]) == (422, "key_reused")
    assert status_of(maya, "4833", LUIS) == "paid"


@pytest.mark.parametrize("customer", [LUIS, None])
def test_another_persons_order_is_refused_as_unknown(
    maya: Maya, customer: dict[str, str] | None
) -> None:
    theirs = maya.refund("4821", customer=customer)
    nobodys = maya.refund("9999", customer=customer)
    assert theirs.status_code == 404
    assert theirs.content == nobodys.content
    assert maya.refunds() == []


@pytest.mark.parametrize(
    "amount",
    ["40.00", "790.00", "79", "79.0", "79.000", "7.9e1", "+79.00", "٧٩.00", "-79.00"],
)
def test_only_the_orders_own_amount_is_refunded(maya: Maya, amount: str) -> None:
    answer = maya.refund(amount=amount)
    assert (answer.status_code, answer.json()["code"]) == (422, "wrong_amount")
    assert maya.refunds() == []


@pytest.mark.parametrize("order_id", ["4822", "4815", "4790", "4830"])
def test_what_was_not_delivered_is_not_refunded(maya: Maya, order_id: str) -> None:
    amount = maya.lookup("get_order", {"order_id": order_id}).json()["data"]["amount"]
    answer = maya.refund(order_id, amount).json()
    assert answer["status"] == "failed"
    assert order_id in answer["message"]
    assert maya.refunds() == []


def test_a_refund_after_thirty_days_is_a_known_failure(maya: Maya) -> None:
    answer = maya.refund("4702", "249.00").json()
    assert answer["status"] == "failed"
    assert "plazo" in answer["message"]


@pytest.mark.parametrize("order_id", ["4821", "4822", "4815"])
def test_what_has_left_the_warehouse_is_not_cancelled(
    maya: Maya, order_id: str
) -> None:
    before = status_of(maya, order_id)
    assert maya.cancel(order_id).json()["status"] == "failed"
    assert status_of(maya, order_id) == before


def test_a_known_failure_is_kept_like_a_success(maya: Maya) -> None:
    run = str(uuid4())
    first = maya.cancel("4822", run_id=run)
    maya.control("/order", order_id="4822", status="paid").raise_for_status()
    assert maya.cancel("4822", run_id=run).content == first.content
    assert status_of(maya, "4822") == "paid"


def test_a_refused_request_leaves_its_key_free(maya: Maya) -> None:
    run = str(uuid4())
    assert maya.refund(amount="1.00", run_id=run).status_code == 422
    assert maya.by_run(run) == {"status": "not_found"}
    assert maya.refund(run_id=run).json()["status"] == "done"


def test_the_key_in_the_header_must_be_the_run_in_the_body(maya: Maya) -> None:
    run = str(uuid4())
    given = {"order_id": "4821", "amount": "79.00"}
    body = change_body("refund_order", given, run)
    for key in (str(uuid4()), run.upper(), "", None):
        answer = maya.post("/agent/refund-order", body, key=key)
        assert (answer.status_code, answer.json()["code"]) == (400, "key_mismatch")
    assert maya.refunds() == []
