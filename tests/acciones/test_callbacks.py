"""Signed callbacks: codes of the seed, and who wins against an answer of ours."""

import json
import time
import uuid
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from acciones.executors.answer import Outcome
from acciones.models import AgentSecret, Callback, Run
from acciones.steps import settle
from acciones.steps.claim import begin, claim
from maya.lib import signing

from .cast import SECRET, Cast, fresh
from .conftest import Shop


def send(
    run_id: object,
    body: Any = None,
    *,
    secret: str = SECRET,
    timestamp: Any = None,
    seconds_off: int = 0,
    signed_for: object = None,
    signature: str = "",
    **headers: Any,
) -> int:
    raw = (
        body
        if isinstance(body, bytes)
        else json.dumps(body or {"status": "done"}).encode()
    )
    now = int(time.time()) + seconds_off
    stamp = str(now if timestamp is None else timestamp)
    signature = signature or signing.callback_signature(
        secret, str(signed_for or run_id), stamp, raw
    )
    return (
        Client()
        .post(
            f"/api/agent/actions/{run_id}/callback",
            raw,
            content_type="application/json",
            headers={"x-maf-timestamp": stamp, "x-maf-signature": signature} | headers,
        )
        .status_code
    )


@pytest.fixture
def pending(cast: Cast, shop: Shop) -> Run:
    """Return a run that the shop is still working on."""
    shop.mood("pending")
    return cast.dispatched()


def test_a_signed_callback_ends_a_pending_run(pending: Run) -> None:
    assert send(pending.pk, {"status": "done", "reference": "R-1"}) == 200
    run = fresh(pending)
    assert (run.state, run.reference, run.effect) == ("done", "R-1", "claimed")


def test_a_failed_callback_after_done_changes_nothing(pending: Run) -> None:
    assert send(pending.pk) == 200
    assert send(pending.pk, {"status": "failed"}) == 409
    assert fresh(pending).state == Run.State.DONE


def test_a_matching_run_id_in_the_body_is_fine(pending: Run) -> None:
    assert send(pending.pk, {"status": "failed", "runId": str(pending.pk)}) == 200
    run = fresh(pending)
    assert (run.state, run.certain) == ("failed", True)


def test_an_unknown_run_is_settled_by_a_callback(cast: Cast, shop: Shop) -> None:
    shop.mood("5xx")
    run = cast.dispatched()
    assert run.state == Run.State.UNKNOWN
    assert send(run.pk) == 200
    assert fresh(run).state == Run.State.DONE


@pytest.mark.parametrize(
    "wrong",
    [
        {"secret": "another-secret-0123456789abcdef-0123456789"},
        {"signed_for": "11111111-1111-4111-8111-111111111111"},
        {"seconds_off": -400},
        {"seconds_off": 400},
        {"timestamp": int(time.time() * 1000)},
        {"timestamp": "ahora"},
        {"timestamp": "-5"},
        {"x-maf-timestamp": ""},
        {"x-maf-signature": ""},
        {"x-maf-signature": "v1=ñandú"},
        {"x-maf-signature": "v1=" + "0" * 64},
    ],
    ids=str,
)
def test_whatever_is_not_signed_is_forbidden(
    pending: Run, wrong: dict[str, Any]
) -> None:
    assert send(pending.pk, **wrong) == 403
    assert fresh(pending).state == Run.State.PENDING


def test_a_run_of_nobody_looks_like_a_wrong_signature(pending: Run) -> None:
    for run_id in (uuid.uuid4(), "no-es-un-uuid", str(pending.pk).upper()):
        assert send(run_id) == 403


def test_the_old_unbound_format_is_forbidden(pending: Run) -> None:
    stamp, raw = str(int(time.time())), b'{"status":"done"}'
    old = signing._sign(SECRET, f"maf-callback-v1:{stamp}.".encode() + raw)
    assert send(pending.pk, raw, signature=old) == 403
    outgoing = signing.request_signature(SECRET, stamp, raw)
    assert send(pending.pk, raw, signature=outgoing) == 403


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b'{"status":"pending"}',
        b'{"status":"done","status":"failed"}',
        b'{"status":"done","extra":1}',
        b'{"status":"done","message":NaN}',
        b'{"status":"done","message":5}',
        b'{"status":"done","card":{"title":"x"}}',
        b'{"status":"done","card":{"title":"x","fields":[],"link":'
        b'{"label":"x","url":"javascript:alert(1)"}}}',
        b'{"status":"done","runId":"11111111-1111-4111-8111-111111111111"}',
        b'{"status":"done","message":"\xff"}',
        b'{"status":"done","message":"\\u0000"}',
        b'{"status":"done","message":"\\ud800"}',
        b"[" * 5000,
        b" " * (64 * 1024 + 1),
    ],
)
def test_a_bad_body_is_refused_and_changes_nothing(pending: Run, body: bytes) -> None:
    assert send(pending.pk, body) == 400
    assert fresh(pending).state == Run.State.PENDING
    assert Callback.objects.get().status == 400


def test_a_run_that_was_never_sent_is_a_conflict(cast: Cast) -> None:
    for run in (cast.offer(), cast.approved(order="4822")):
        assert send(run.pk) == 409


def test_a_run_of_another_site_is_forbidden(cast: Cast, pending: Run) -> None:
    other = "other-site-secret-0123456789abcdef-01234"
    AgentSecret.rotate(cast.outsider.site, kid="k1", overlap=_hours(0), plain=other)
    assert send(pending.pk, secret=other) == 403


def test_it_wins_over_an_answer_that_is_still_on_its_way(cast: Cast) -> None:
    run = cast.approved()
    row = claim(run.pk)
    assert row is not None
    begun = begin(row)
    assert begun is not None
    assert send(run.pk, {"status": "done", "reference": "antes"}) == 200
    for late in (Outcome("pending"), Outcome("uncertain"), Outcome("refused")):
        assert settle.answered(begun, late, {}) is False
    run = fresh(run)
    assert (run.state, run.reference) == ("done", "antes")
    assert run.tries.get().verdict == "pending"


def _hours(number: int) -> timedelta:
    return timedelta(hours=number)


def test_two_secrets_live_during_a_rotation_and_one_after(
    cast: Cast, pending: Run
) -> None:
    new = "rotated-secret-0123456789abcdef-012345678"
    AgentSecret.rotate(cast.site, kid="k2", overlap=_hours(1), plain=new)
    assert send(pending.pk, {"status": "failed"}, secret=new) == 200
    assert send(pending.pk, secret=SECRET) == 409
    AgentSecret.objects.filter(kid="k1").update(ends=pending.created)
    assert send(pending.pk, secret=SECRET) == 403


def test_every_callback_is_kept_raw_with_its_verdict(pending: Run) -> None:
    send(pending.pk, secret="x" * 40)
    send(pending.pk, {"status": "done"})
    send(pending.pk, {"status": "done"})
    kept = list(Callback.objects.order_by("pk").values_list("status", "code"))
    assert kept == [(403, "forbidden"), (200, "accepted"), (409, "wrong_state")]
    assert bytes(Callback.objects.earliest("pk").body) == b'{"status": "done"}'


def test_only_post_is_taken(pending: Run) -> None:
    assert Client().get(f"/api/agent/actions/{pending.pk}/callback").status_code == 405
