"""Runs that nothing would ever have ended, or ended with the wrong word."""

from typing import Any

import pytest

from acciones.executors.answer import Outcome
from acciones.models import AgentSecret, Run
from acciones.publish import publish
from acciones.steps import settle
from acciones.steps.claim import begin, claim
from acciones.steps.dispatch import dispatch
from acciones.steps.recover import recover

from .cast import Cast, fresh, make_due
from .conftest import Shop
from .scene import come, look
from .test_outcomes import refund_calls, try_again


def begun(run: Run) -> dict[str, Any]:
    """Claim a run and store its attempt, as if its request were on its way."""
    row = claim(run.pk)
    assert row is not None
    row = begin(row)
    assert row is not None
    return row


def test_a_final_answer_ends_a_run_that_another_attempt_left_pending(
    cast: Cast, shop: Shop
) -> None:
    run = cast.approved()
    first = begun(run)
    come(run.pk, "lease_until")
    recover(run.pk)
    make_due(run)
    second = begun(run)
    assert settle.answered(first, Outcome("pending"), {})
    assert fresh(run).state == Run.State.PENDING
    assert settle.answered(second, Outcome("done", reference="R-2"), {})
    run = fresh(run)
    assert (run.state, run.reference) == ("done", "R-2")


def test_a_status_lookup_that_cannot_be_asked_leaves_doubt_and_ends(
    cast: Cast, shop: Shop
) -> None:
    cast.status.inputs = [{"name": "run_id", "max_length": 8}]
    cast.status.save()
    cast.refund.status_lookup = cast.status
    cast.refund.save()
    publish(cast.refund)
    shop.mood("5xx", times=1, effect=True)
    run = cast.dispatched()
    for _ in range(3):
        run = try_again(run)
    assert (run.state, run.certain, run.reason) == ("failed", False, "exhausted")


def test_without_a_live_secret_nothing_leaves_and_that_is_certain(
    cast: Cast, shop: Shop
) -> None:
    run = cast.approved()
    AgentSecret.objects.update(ends=run.created)
    dispatch(run.pk)
    run = fresh(run)
    assert (run.state, run.certain, run.reason) == ("failed", True, "refused")
    assert refund_calls(shop) == []


def test_evidence_that_cannot_be_signed_for_is_unverifiable(
    cast: Cast, shop: Shop
) -> None:
    run = cast.approved(evidence=look(cast, cast.conversation, "4821"))
    AgentSecret.objects.update(ends=run.created)
    for _ in range(3):
        run = try_again(run)
    assert (run.state, run.certain, run.reason) == ("failed", True, "unverifiable")


def test_a_lost_attempt_is_closed_with_its_run_or_not_at_all(
    cast: Cast, shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = cast.approved()
    begun(run)
    come(run.pk, "lease_until")

    def die(*args: object) -> None:
        raise RuntimeError("the process ends here")

    monkeypatch.setattr(settle, "record", die)
    recover(run.pk)
    run = fresh(run)
    assert (run.state, run.tries.get().verdict) == ("unknown", "uncertain")


def test_an_attempt_is_not_given_up_while_its_lease_holds(
    cast: Cast, shop: Shop
) -> None:
    run = cast.approved()
    begun(run)
    recover(run.pk)
    run = fresh(run)
    assert (run.state, run.tries.get().verdict) == ("running", "")
