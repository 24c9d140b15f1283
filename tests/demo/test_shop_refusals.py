"""Who and what the signed endpoint turns away, before anything is touched."""

import json
import time
from collections.abc import Iterator
from uuid import uuid4

import httpx
import pytest

from tests.demo.conftest import Shop
from tests.demo.maya import SECRET, Maya, change_body, sign, sign_callback

PATH = "/agent/refund-order"
GIVEN = {"order_id": "4821", "amount": "79.00"}


def send(maya: Maya, body: bytes | None = None, **how: str | bytes) -> httpx.Response:
    run = str(uuid4())
    content = change_body("refund_order", GIVEN, run) if body is None else body
    return maya.post(PATH, content, key=run, **how)  # type: ignore[arg-type]


@pytest.fixture(autouse=True)
def nothing_is_refunded(maya: Maya) -> Iterator[None]:
    yield
    assert maya.refunds() == []


@pytest.mark.parametrize("seconds", [-301, 302, -86400])
def test_an_old_or_early_timestamp_is_refused(maya: Maya, seconds: int) -> None:
    answer = send(maya, timestamp=str(int(time.time()) + seconds))
    assert answer.status_code == 403


@pytest.mark.parametrize("stamp", ["1e9", "0x10", "1700000000.5", "9" * 400, "²"])
def test_a_timestamp_that_is_not_seconds_is_refused(maya: Maya, stamp: str) -> None:
    assert send(maya, timestamp=stamp).status_code == 403


def test_milliseconds_are_not_seconds(maya: Maya) -> None:
    assert send(maya, timestamp=str(int(time.time() * 1000))).status_code == 403


@pytest.mark.parametrize(
    "signature", [b"", b"v1=", b"v1=" + b"0" * 64, "v1=ñandú".encode(), b"\xff\xfe"]
)
def test_a_forged_signature_is_refused_and_never_an_error(
    maya: Maya, signature: bytes
) -> None:
    answer = send(maya, signature=signature or b"none")
    assert (answer.status_code, answer.json()["code"]) == (403, "bad_signature")


def test_another_secret_is_refused(maya: Maya) -> None:
    assert send(maya, secret="another-secret").status_code == 403


def test_a_callbacks_signature_does_not_open_the_endpoint(maya: Maya) -> None:
    run, stamp = str(uuid4()), str(int(time.time()))
    body = change_body("refund_order", GIVEN, run)
    wrong = sign_callback(SECRET, run, stamp, body)
    assert send(maya, body, timestamp=stamp, signature=wrong).status_code == 403


def test_one_changed_byte_is_refused(maya: Maya) -> None:
    body, stamp = (
        change_body("refund_order", GIVEN, str(uuid4())),
        str(int(time.time())),
    )
    signature = sign(SECRET, stamp, body)
    changed = body.replace(b"79.00", b"79.01")
    answer = send(maya, changed, timestamp=stamp, signature=signature)
    assert answer.status_code == 403


def test_a_signature_sent_twice_is_no_signature(maya: Maya, shop: Shop) -> None:
    body, stamp = (
        change_body("refund_order", GIVEN, str(uuid4())),
        str(int(time.time())),
    )
    good = sign(SECRET, stamp, body)
    headers = [
        ("x-maf-timestamp", stamp),
        ("x-maf-signature", good),
        ("x-maf-signature", good),
    ]
    answer = maya.client.post(shop.url + PATH, content=body, headers=headers)
    assert answer.status_code == 403


@pytest.mark.parametrize(
    ("field", "value", "status", "code"),
    [
        ("siteId", "banco", 403, "wrong_site"),
        ("action", "cancel_order", 403, "wrong_action"),
        ("action", "change_refund_order", 403, "wrong_action"),
        ("version", 2, 400, "version"),
        ("version", True, 400, "version"),
        ("runId", "4821", 400, "bad_id"),
        ("input", {"order_id": "4821"}, 400, "bad_input"),
        ("input", GIVEN | {"to": "IBAN"}, 400, "bad_input"),
        ("input", {"order_id": 4821, "amount": "79.00"}, 400, "bad_input"),
        ("input", {"order_id": " 4821", "amount": "79.00"}, 400, "bad_input"),
        ("input", [], 400, "bad_input"),
        ("customer", "ana", 400, "bad_customer"),
        ("customer", {"email": "ana@example.com"}, 400, "bad_customer"),
        ("customer", {"id": "ana", "admin": "yes"}, 400, "bad_customer"),
        ("extra", 1, 400, "bad_fields"),
    ],
)
def test_a_signed_body_outside_the_contract_is_refused(
    maya: Maya, field: str, value: object, status: int, code: str
) -> None:
    run = str(uuid4())
    asked = json.loads(change_body("refund_order", GIVEN, run)) | {field: value}
    answer = maya.post(PATH, json.dumps(asked).encode(), key=run)
    assert (answer.status_code, answer.json()["code"]) == (status, code)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"[]",
        b"null",
        b"{",
        b'{"a":NaN}',
        b"\xff",
        b"[" * 50000,
        "{}".encode("utf-16"),
    ],
)
def test_a_signed_body_that_is_not_strict_json_is_refused(
    maya: Maya, body: bytes
) -> None:
    answer = send(maya, body)
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_json")


def test_a_duplicate_key_in_the_body_is_refused(maya: Maya) -> None:
    run = str(uuid4())
    body = change_body("refund_order", GIVEN, run)
    twice = body.replace(b'"siteId":"tienda"', b'"siteId":"x","siteId":"tienda"')
    answer = maya.post(PATH, twice, key=run)
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_json")


def test_a_body_over_the_limit_is_refused(maya: Maya) -> None:
    assert send(maya, b" " * (64 * 1024 + 1)).status_code == 413


def test_a_lookup_is_refused_without_a_good_signature(maya: Maya) -> None:
    answer = maya.post("/agent/get-order", b"{}", signature="v1=0")
    assert answer.status_code == 403


def test_a_lookups_address_answers_its_own_lookup_only(maya: Maya) -> None:
    asked = {
        "version": 1,
        "lookup": "order_status_by_run",
        "requestId": str(uuid4()),
        "siteId": "tienda",
        "input": {"order_id": "4821"},
        "customer": None,
    }
    answer = maya.post("/agent/get-order", json.dumps(asked).encode())
    assert (answer.status_code, answer.json()["code"]) == (403, "wrong_lookup")


def test_a_get_does_nothing(maya: Maya, shop: Shop) -> None:
    assert maya.client.get(shop.url + PATH).status_code == 405


def test_every_request_is_logged_refused_or_not(maya: Maya) -> None:
    run = str(uuid4())
    body = change_body("refund_order", {"order_id": "4821", "amount": "1.00"}, run)
    maya.post(PATH, body, key=run)
    maya.post(PATH, body, key=run, secret="another")
    good, bad = maya.log()
    assert (good["path"], good["key"], good["signature_ok"]) == (PATH, run, True)
    assert bad["signature_ok"] is False
    assert good["body_sha256"] == bad["body_sha256"]
    assert abs(good["at"] - time.time()) < 60
