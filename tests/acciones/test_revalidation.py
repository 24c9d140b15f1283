"""The world is read again right before the first attempt."""

import pytest

from acciones.errors import Disabled
from acciones.executors import lookup
from acciones.models import Conversation, Evidence, Run
from acciones.publish import publish
from acciones.steps.dispatch import dispatch
from acciones.steps.observe import observe
from maya.lib import background

from .cast import Cast, fresh, make_due
from .conftest import Shop


@pytest.fixture
def order(cast: Cast) -> Evidence:
    """Return the order as the agent read it."""
    return look_up(cast, "4821")


def look_up(cast: Cast, number: str) -> Evidence:
    conversation = Conversation.objects.select_related("site", "visitor__customer").get(
        pk=cast.conversation.pk
    )
    arguments = {"order_id": number}
    reading = background.run(lookup.read(cast.get_order, arguments, conversation))
    assert reading.status == "found", reading
    return observe(
        conversation=conversation,
        turn_id=None,
        action=cast.get_order,
        arguments=arguments,
        reading=reading,
    )


def changes(shop: Shop) -> list[str]:
    return [e["path"] for e in shop.log() if e["path"] == "/agent/refund-order"]


def test_an_unchanged_world_lets_the_change_through(
    cast: Cast, shop: Shop, order: Evidence
) -> None:
    assert order.reference == "order:4821"
    assert cast.dispatched(evidence=[order]).state == Run.State.DONE


def test_what_changes_every_day_is_no_change(
    cast: Cast, shop: Shop, order: Evidence
) -> None:
    assert set(order.observed) == {"status", "amount", "currency"}


def test_a_changed_world_is_stale_and_offered_afresh(
    cast: Cast, shop: Shop, order: Evidence
) -> None:
    run = cast.approved(evidence=[order])
    shop.execute("UPDATE orders SET status = 'shipped' WHERE order_id = '4821'")
    dispatch(run.pk)
    run = fresh(run)
    assert (run.state, run.certain, run.reason) == ("failed", True, "stale")
    assert changes(shop) == []
    again = Run.objects.get(state=Run.State.REQUESTED)
    piece = again.proposal.evidence.get()
    assert piece.observed["status"] == "shipped"
    assert again.digest != run.digest


def test_a_read_that_fails_proves_nothing(
    cast: Cast, shop: Shop, order: Evidence
) -> None:
    run = cast.approved(evidence=[order])
    shop.mood("5xx", on="lookups")
    for reads in (1, 2):
        dispatch(run.pk)
        run = fresh(run)
        assert (run.state, run.reads, run.attempts) == ("queued", reads, 0)
        make_due(run)
    dispatch(run.pk)
    run = fresh(run)
    assert (run.state, run.certain, run.reason) == ("failed", True, "unverifiable")
    assert changes(shop) == []


def test_a_read_that_works_again_lets_the_change_through(
    cast: Cast, shop: Shop, order: Evidence
) -> None:
    run = cast.approved(evidence=[order])
    shop.mood("5xx", on="lookups", times=1)
    dispatch(run.pk)
    make_due(run)
    dispatch(run.pk)
    assert fresh(run).state == Run.State.DONE


def test_our_own_success_is_not_taken_for_a_change(
    cast: Cast, shop: Shop, order: Evidence
) -> None:
    shop.mood("5xx", times=1, effect=True)
    run = cast.dispatched(evidence=[order])
    make_due(run)
    dispatch(run.pk)
    assert fresh(run).state == Run.State.DONE
    assert len(shop.refunds()) == 1


def test_the_precondition_travels_only_where_it_is_asked_for(
    cast: Cast, shop: Shop, order: Evidence
) -> None:
    assert b"precondition" not in bytes(cast.offer(evidence=[order]).proposal.body)
    cast.refund.sends_precondition = True
    cast.refund.save()
    publish(cast.refund)
    body = bytes(cast.offer(evidence=[order]).proposal.body)
    assert order.fingerprint.encode() in body


def test_a_missing_order_is_not_found_and_a_silent_shop_is_unknown(
    cast: Cast, shop: Shop
) -> None:
    conversation = Conversation.objects.select_related("site", "visitor__customer").get(
        pk=cast.conversation.pk
    )

    def status(number: str) -> str:
        work = lookup.read(cast.get_order, {"order_id": number}, conversation)
        return background.run(work).status

    assert status("9999") == "not_found"
    for mood in ("5xx", "garbage", "drop", "4xx"):
        shop.mood(mood, on="lookups")
        assert status("4821") == "unknown"


def test_a_connection_that_is_switched_off_is_not_asked(cast: Cast, shop: Shop) -> None:
    cast.connection.enabled = False
    cast.connection.save()
    cast.get_order.connection.refresh_from_db()
    conversation = Conversation.objects.get(pk=cast.conversation.pk)
    with pytest.raises(Disabled):
        background.run(lookup.read(cast.get_order, {"order_id": "4821"}, conversation))
    assert shop.log() == []
