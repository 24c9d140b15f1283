"""The path of a change, end to end against the real shop, and its refusals."""

import uuid

import pytest

from acciones.errors import (
    AlreadyDecided,
    AlreadyInProgress,
    Expired,
    Forbidden,
    NotFound,
    RehearsalInert,
    StaleDigest,
    WrongState,
)
from acciones.models import Event, Run
from acciones.publish import publish
from acciones.steps.approve import approve
from acciones.steps.cancel import cancel
from acciones.steps.confirm import confirm
from acciones.steps.dispatch import dispatch
from acciones.steps.reject import reject
from acciones.tokens import issue

from .cast import Cast, fresh, talk
from .conftest import Shop


def test_a_refund_is_asked_allowed_and_done_once(cast: Cast, shop: Shop) -> None:
    run = cast.offer()
    assert shop.log() == []
    run = confirm(run.pk, cast.customer, token=issue(run))
    assert run.state == Run.State.AWAITING_OWNER
    dispatch(run.pk)
    assert shop.log() == []
    approve(run.pk, member=cast.owner, surface="admin", digest=run.digest)
    dispatch(run.pk)
    run = fresh(run)
    assert (run.state, run.effect, run.attempts) == ("done", "claimed", 1)
    refunds = shop.refunds()
    assert [(r["order_id"], r["amount_minor"], r["currency"]) for r in refunds] == [
        ("4821", 7900, "EUR")
    ]
    for _ in range(3):
        dispatch(run.pk)
    assert len([r for r in shop.log() if "refund" in r["path"]]) == 1


def test_the_body_is_the_seeds_to_the_byte(cast: Cast, shop: Shop) -> None:
    run = cast.offer()
    assert bytes(run.proposal.body).decode() == (
        f'{{"version":1,"action":"refund_order","runId":"{run.pk}",'
        f'"requestId":"{run.pk}","siteId":"tienda",'
        '"input":{"order_id":"4821","amount":"79.00"},'
        '"customer":{"id":"ana","email":"ana@example.com","name":"Ana López"}}'
    )
    assert run.proposal.amount == {"minor": 7900, "currency": "EUR", "exponent": 2}


def test_events_are_dense_and_tell_the_story(cast: Cast) -> None:
    run = cast.dispatched()
    events = list(Event.objects.filter(run_id=run.pk).order_by("seq"))
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    positions = Event.objects.filter(conversation=run.conversation)
    assert sorted(positions.values_list("position", flat=True)) == list(
        range(1, positions.count() + 1)
    )
    told = [event.payload.get("status", event.type) for event in events]
    assert told == [
        "proposal.created",
        "awaiting_owner",
        "queued",
        "running",
        "running",
        "done",
    ]


def test_a_change_without_approval_is_queued_at_the_confirmation(
    cast: Cast, shop: Shop
) -> None:
    run = cast.confirmed(order="A128", action=cast.cancel)
    assert run.state == Run.State.QUEUED


def test_a_rejected_run_sends_nothing(cast: Cast, shop: Shop) -> None:
    run = cast.confirmed()
    reject(run.pk, member=cast.owner, surface="admin", digest=run.digest, reason="no")
    dispatch(run.pk)
    assert fresh(run).state == Run.State.REJECTED
    assert shop.log() == []


def test_a_cancelled_offer_cannot_be_confirmed(cast: Cast, shop: Shop) -> None:
    run = cast.offer()
    token = issue(run)
    cancel(run.pk, cast.customer)
    with pytest.raises(WrongState):
        confirm(run.pk, cast.customer, token=token)
    assert shop.log() == []


def test_a_second_confirmation_changes_nothing(cast: Cast) -> None:
    run = cast.offer()
    token = issue(run)
    confirm(run.pk, cast.customer, token=token)
    before = Event.objects.count()
    with pytest.raises(WrongState):
        confirm(run.pk, cast.customer, token=token)
    assert Event.objects.count() == before


@pytest.mark.parametrize("token", [None, 5, "", "sí", "1.2", "9999999999." + "0" * 64])
def test_no_other_token_confirms(cast: Cast, token: object) -> None:
    run = cast.offer()
    with pytest.raises(NotFound):
        confirm(run.pk, cast.customer, token=token)
    assert fresh(run).state == Run.State.REQUESTED


def test_another_visitor_learns_nothing(cast: Cast) -> None:
    run = cast.offer()
    for visitor in (cast.other_customer, cast.anonymous):
        with pytest.raises(NotFound) as theirs:
            confirm(run.pk, visitor, token=issue(run))
        with pytest.raises(NotFound) as nobodys:
            confirm(uuid.uuid4(), visitor, token=issue(run))
        assert str(theirs.value) == str(nobodys.value)
        with pytest.raises(NotFound):
            cancel(run.pk, visitor)
    foreign = cast.offer(order="4822", visitor=cast.other_customer)
    with pytest.raises(NotFound):
        confirm(run.pk, cast.customer, token=issue(foreign))


def test_who_may_decide(cast: Cast) -> None:
    run = cast.confirmed()
    with pytest.raises(NotFound):
        approve(run.pk, member=cast.outsider, surface="admin", digest=run.digest)
    with pytest.raises(Forbidden):
        approve(run.pk, member=cast.viewer, surface="admin", digest=run.digest)
    removed = cast.teammate
    type(removed).objects.filter(pk=removed.pk).delete()
    with pytest.raises(Forbidden):
        approve(run.pk, member=removed, surface="admin", digest=run.digest)
    cast.owner.customer_id = "ana"
    cast.owner.save()
    with pytest.raises(Forbidden):
        approve(run.pk, member=cast.owner, surface="admin", digest=run.digest)
    assert fresh(run).state == Run.State.AWAITING_OWNER


def test_an_approval_of_something_else_is_refused(cast: Cast) -> None:
    run = cast.confirmed()
    with pytest.raises(StaleDigest):
        approve(run.pk, member=cast.owner, surface="admin", digest="0" * 64)


def test_a_quorum_needs_that_many_people(cast: Cast) -> None:
    cast.refund.quorum = 2
    cast.refund.save()
    publish(cast.refund)
    run = cast.confirmed()
    approve(run.pk, member=cast.owner, surface="admin", digest=run.digest)
    assert fresh(run).state == Run.State.AWAITING_OWNER
    with pytest.raises(AlreadyDecided):
        approve(run.pk, member=cast.owner, surface="admin", digest=run.digest)
    approve(run.pk, member=cast.teammate, surface="admin", digest=run.digest)
    assert fresh(run).state == Run.State.QUEUED


def test_one_rejection_ends_a_quorum(cast: Cast) -> None:
    cast.refund.quorum = 2
    cast.refund.save()
    publish(cast.refund)
    run = cast.confirmed()
    approve(run.pk, member=cast.owner, surface="admin", digest=run.digest)
    reject(run.pk, member=cast.teammate, surface="admin", digest=run.digest)
    with pytest.raises(WrongState, match="rechazada"):
        approve(run.pk, member=cast.owner, surface="admin", digest=run.digest)


def _overdue(run: Run) -> None:
    run.expires_at = run.created
    run.save(update_fields=["expires_at"])


def test_an_expired_offer_is_judged_at_the_confirmation(cast: Cast) -> None:
    run = cast.offer()
    token = issue(run)
    _overdue(run)
    with pytest.raises(Expired):
        confirm(run.pk, cast.customer, token=token)
    assert fresh(run).state == Run.State.EXPIRED


def test_an_expired_approval_is_judged_without_a_sweeper(cast: Cast) -> None:
    run = cast.confirmed()
    _overdue(run)
    with pytest.raises(Expired):
        approve(run.pk, member=cast.owner, surface="admin", digest=run.digest)
    assert fresh(run).state == Run.State.EXPIRED


def test_a_new_offer_replaces_the_open_one(cast: Cast) -> None:
    first, second, third = cast.offer(), cast.offer(), cast.offer(order="4822")
    assert [fresh(run).state for run in (first, second, third)] == [
        "cancelled",
        "cancelled",
        "requested",
    ]
    assert {fresh(run).reason for run in (first, second)} == {"replaced"}
    notices = Event.objects.filter(type="run.status", payload__reason="replaced")
    assert notices.count() == 2


def test_two_conversations_cannot_both_refund_one_order(cast: Cast) -> None:
    cast.confirmed()
    elsewhere = talk(cast.site, cast.customer)
    run = cast.offer(conversation=elsewhere)
    with pytest.raises(AlreadyInProgress):
        confirm(run.pk, cast.customer, token=issue(run))
    assert fresh(run).state == Run.State.REQUESTED


def test_a_rehearsal_never_moves(cast: Cast, shop: Shop) -> None:
    run = cast.offer(conversation=talk(cast.site, cast.customer, rehearsal=True))
    with pytest.raises(RehearsalInert):
        confirm(run.pk, cast.customer, token=issue(run))
    assert shop.log() == []
