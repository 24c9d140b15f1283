"""What each answer of the owner's system makes of a run."""

from collections.abc import Callable
from typing import Any

import pytest
from django.core import mail

from acciones import notices
from acciones.models import Action, Attempt, Connection, Event, Run
from acciones.publish import publish
from acciones.steps.claim import begin, claim
from acciones.steps.dispatch import dispatch
from acciones.steps.recover import abandoned, recover
from acciones.steps.verify import verify

from .cast import Cast, fresh, make_due
from .conftest import Shop


def refund_calls(shop: Shop) -> list[dict[str, Any]]:
    return [entry for entry in shop.log() if entry["path"] == "/agent/refund-order"]


def try_again(run: Run) -> Run:
    make_due(run)
    dispatch(run.pk)
    return fresh(run)


@pytest.mark.parametrize("mood", ["slow", "5xx", "garbage", "drop"])
@pytest.mark.parametrize("effect", [True, False])
def test_an_uncertain_answer_is_repeated_and_the_effect_is_one(
    cast: Cast, shop: Shop, mood: str, effect: bool
) -> None:
    shop.mood(mood, times=1, effect=effect, seconds=4 if mood == "slow" else 0)
    run = cast.dispatched()
    assert (run.state, run.attempts, run.certain) == ("unknown", 1, None)
    run = try_again(run)
    assert (run.state, run.attempts) == ("done", 2)
    assert len(shop.refunds()) == 1


def test_retries_are_the_same_bytes_and_key_with_a_fresh_signature(
    cast: Cast, shop: Shop
) -> None:
    shop.mood("5xx", times=2)
    run = cast.dispatched()
    run = try_again(run)
    assert run.state == Run.State.UNKNOWN
    run = try_again(run)
    assert (run.state, run.attempts) == ("done", 3)
    calls = refund_calls(shop)
    assert len({call["body_sha256"] for call in calls}) == 1
    assert {call["key"] for call in calls} == {str(run.pk)}
    assert all(call["signature_ok"] for call in calls)


def test_an_unknown_run_is_not_due_at_once(cast: Cast, shop: Shop) -> None:
    shop.mood("5xx")
    run = cast.dispatched()
    finished = Attempt.objects.get(run=run).finished
    assert run.due_at
    assert finished
    assert 55 < (run.due_at - finished).seconds <= 60
    dispatch(run.pk)
    assert fresh(run).attempts == 1


def test_exhausted_uncertainty_fails_without_certainty_and_tells_the_owner(
    cast: Cast, shop: Shop
) -> None:
    shop.mood("5xx", effect=True)
    run = cast.dispatched()
    for _ in range(4):
        run = try_again(run)
    assert (run.state, run.certain, run.reason) == ("failed", False, "exhausted")
    assert len(refund_calls(shop)) == 3
    notices.tell(run.pk)
    notices.tell(run.pk)
    assert len(mail.outbox) == 1
    assert str(run.pk) in mail.outbox[0].body
    assert "no demuestra" in mail.outbox[0].body


def test_a_4xx_fails_without_retry(cast: Cast, shop: Shop) -> None:
    shop.mood("4xx")
    run = cast.dispatched()
    assert (run.state, run.certain, run.attempts) == ("failed", True, 1)


def test_a_4xx_after_an_uncertain_attempt_proves_nothing(
    cast: Cast, shop: Shop
) -> None:
    shop.mood("5xx", times=1, effect=True)
    run = cast.dispatched()
    shop.mood("4xx")
    run = try_again(run)
    assert (run.state, run.certain) == ("failed", False)


def test_pending_waits_and_never_causes_another_attempt(cast: Cast, shop: Shop) -> None:
    shop.mood("pending")
    run = cast.dispatched()
    assert (run.state, run.due_at) == ("pending", None)
    dispatch(run.pk)
    assert len(refund_calls(shop)) == 1


def test_the_status_lookup_is_asked_before_anything_is_sent_again(
    cast: Cast, shop: Shop
) -> None:
    cast.refund.status_lookup = cast.status
    cast.refund.save()
    publish(cast.refund)
    shop.mood("5xx", times=1, effect=True)
    run = try_again(cast.dispatched())
    assert (run.state, run.effect, run.attempts) == ("done", "verified", 1)
    assert len(refund_calls(shop)) == 1


def test_a_key_that_was_never_seen_is_sent_again(cast: Cast, shop: Shop) -> None:
    cast.refund.status_lookup = cast.status
    cast.refund.save()
    publish(cast.refund)
    shop.mood("5xx", times=1, effect=False)
    run = try_again(cast.dispatched())
    assert (run.state, run.effect, run.attempts) == ("done", "claimed", 2)


def test_a_failed_ask_keeps_unknown_and_uses_no_attempt(cast: Cast, shop: Shop) -> None:
    cast.refund.status_lookup = cast.status
    cast.refund.save()
    publish(cast.refund)
    shop.mood("5xx", times=1, effect=True)
    run = cast.dispatched()
    shop.mood("5xx", on="lookups")
    run = try_again(run)
    assert (run.state, run.attempts, run.reads) == ("unknown", 1, 1)
    run = try_again(try_again(run))
    assert (run.state, run.certain, run.attempts) == ("failed", False, 1)


def test_an_action_switched_off_in_doubt_ends_without_certainty(
    cast: Cast, shop: Shop
) -> None:
    shop.mood("5xx", effect=True)
    run = cast.dispatched()
    Action.objects.filter(pk=cast.refund.pk).update(enabled=False)
    run = try_again(run)
    assert (run.state, run.certain, run.reason) == ("failed", False, "disabled")


def _disable(cast: Cast, run: Run) -> None:
    Action.objects.filter(pk=cast.refund.pk).update(enabled=False)


def _publish_anew(cast: Cast, run: Run) -> None:
    cast.refund.description = "Otra cosa"
    cast.refund.save()
    publish(cast.refund)


def _move_the_endpoint(cast: Cast, run: Run) -> None:
    Connection.objects.filter(pk=cast.connection.pk).update(
        url=cast.connection.url + "/otra"
    )


def _change_the_digest(cast: Cast, run: Run) -> None:
    Run.objects.filter(pk=run.pk).update(digest="0" * 64)


def _remove_the_member(cast: Cast, run: Run) -> None:
    cast.owner.delete()


def _close_the_account(cast: Cast, run: Run) -> None:
    type(cast.owner.user).objects.filter(pk=cast.owner.user_id).update(is_active=False)


@pytest.mark.parametrize(
    ("happens", "reason"),
    [
        (_disable, "disabled"),
        (_publish_anew, "version_changed"),
        (_move_the_endpoint, "version_changed"),
        (_change_the_digest, "digest_mismatch"),
        (_remove_the_member, "decision_invalid"),
        (_close_the_account, "decision_invalid"),
    ],
)
def test_what_was_approved_must_still_hold(
    cast: Cast, shop: Shop, happens: Callable[[Cast, Run], None], reason: str
) -> None:
    run = cast.approved()
    happens(cast, run)
    dispatch(run.pk)
    run = fresh(run)
    assert (run.state, run.certain, run.reason) == ("failed", True, reason)
    assert refund_calls(shop) == []


def _die_after(run: Run, *, attempt: bool) -> None:
    row = claim(run.pk)
    assert row is not None
    if attempt:
        assert begin(row) is not None
    Run.objects.filter(pk=run.pk).update(lease_until=run.created)


def test_a_lease_lost_before_the_attempt_is_taken_up_again(
    cast: Cast, shop: Shop
) -> None:
    run = cast.approved()
    _die_after(run, attempt=False)
    assert abandoned() == [run.pk]
    recover(run.pk)
    assert fresh(run).state == Run.State.QUEUED
    dispatch(run.pk)
    assert fresh(run).state == Run.State.DONE


def test_a_lease_lost_in_an_attempt_is_unknown(cast: Cast, shop: Shop) -> None:
    run = cast.approved()
    _die_after(run, attempt=True)
    recover(run.pk)
    run = fresh(run)
    assert (run.state, run.attempts) == ("unknown", 1)
    assert Attempt.objects.get(run=run).verdict == "uncertain"
    assert try_again(run).state == Run.State.DONE


def test_who_lost_the_lease_sends_nothing(cast: Cast, shop: Shop) -> None:
    run = cast.approved()
    slow = claim(run.pk)
    assert slow is not None
    Run.objects.filter(pk=run.pk).update(lease_until=run.created)
    recover(run.pk)
    assert claim(run.pk) is not None
    assert begin(slow) is None


def test_every_attempt_is_a_row_with_what_came_back(cast: Cast, shop: Shop) -> None:
    shop.mood("garbage", times=1)
    run = try_again(cast.dispatched())
    first, second = Attempt.objects.filter(run=run).order_by("number")
    assert (first.verdict, first.status_code) == ("uncertain", 200)
    assert first.answer
    assert (second.verdict, second.status_code) == ("done", 200)
    assert second.sent_headers["x-maf-signature"] == "v1=…"
    assert {first.digest, second.digest} == {run.digest}
    statuses = Event.objects.filter(run_id=run.pk).values_list("payload__status")
    assert statuses.last() == ("done",)


def test_a_private_address_is_refused_before_anything_leaves(
    cast: Cast, shop: Shop, settings: Any
) -> None:
    run = cast.approved()
    settings.MAYA_DEV_ENDPOINTS = []
    dispatch(run.pk)
    run = fresh(run)
    assert (run.state, run.certain, run.reason) == ("failed", True, "refused")
    assert refund_calls(shop) == []


def test_a_finished_change_is_read_back(cast: Cast, shop: Shop) -> None:
    cast.refund.status_lookup = cast.status
    cast.refund.save()
    publish(cast.refund)
    run = cast.dispatched()
    assert run.effect == "claimed"
    shop.mood("5xx", on="lookups", times=1)
    assert verify(run.pk) is False
    assert verify(run.pk) is True
    assert verify(run.pk) is False
    run = fresh(run)
    assert (run.state, run.effect) == ("done", "verified")
