"""Clicks while others work on the same conversation: somebody waits, nobody breaks."""

import itertools
import threading
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connections, transaction
from django.utils import timezone

from acciones.errors import MayaError
from acciones.models import Run
from acciones.steps.confirm import confirm
from acciones.steps.offer import offer
from acciones.tokens import issue
from agente.turns import start_action
from tests.acciones.cast import Cast, assemble

PATIENCE_SECONDS = 20
CONTEXT = {"order_id": "4821", "amount": "79.00"}
_keys = itertools.count(1)


@pytest.fixture
def cast(transactional_db: None) -> Cast:
    """Return the cast of a shop whose systems nobody needs here."""
    return assemble("http://127.0.0.1:1")


def click(cast: Cast, amount: str = "79.00") -> None:
    """Press the button that a surface showed for a refund."""
    start_action(
        visitor=cast.customer,
        conversation_id=cast.conversation.pk,
        action={
            "name": "refund_order",
            "surfaceId": "s1",
            "sourceComponentId": "button",
            "context": {**CONTEXT, "amount": amount},
            "idempotencyKey": f"key-{next(_keys)}",
        },
    )


def in_a_thread(work: Callable[[], Any], broken: list[Exception]) -> threading.Thread:
    """Start some work; what the ledger refuses is an answer, anything else breaks."""

    def job() -> None:
        try:
            work()
        except MayaError:
            pass
        except Exception as error:  # noqa: BLE001  the test shows it
            broken.append(error)
        finally:
            connections.close_all()

    thread = threading.Thread(target=job)
    thread.start()
    return thread


def wait_for_a_lock() -> None:
    """Wait until some other connection waits for a lock."""
    deadline = timezone.now().timestamp() + PATIENCE_SECONDS
    waiting = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
    while timezone.now().timestamp() < deadline:
        with connections["default"].cursor() as cursor:
            cursor.execute(waiting)
            if cursor.fetchone() != (0,):
                return
    raise AssertionError("nobody waits")


def test_a_click_and_the_cards_button_at_once_are_one_yes(cast: Cast) -> None:
    run = cast.offer()
    offer(run=run, surface_id="s1", component_id="button", context=CONTEXT)
    token, broken = issue(run), list[Exception]()
    with transaction.atomic():
        # A confirmation in its middle: it has the run and not yet the conversation
        Run.objects.select_for_update().get(pk=run.pk)
        clicking = in_a_thread(lambda: click(cast), broken)
        wait_for_a_lock()
        confirm(run.pk, cast.customer, token=token)
    clicking.join(PATIENCE_SECONDS)
    assert broken == []
    run.refresh_from_db()
    assert run.state == Run.State.AWAITING_OWNER


def test_clicks_and_the_agents_proposals_do_not_block_each_other(cast: Cast) -> None:
    broken, rounds = list[Exception](), 15

    def agent() -> None:
        for number in range(rounds):
            cast.offer(amount=f"{number + 1}.00")

    def customer() -> None:
        for number in range(rounds):
            click(cast, amount=f"{number + 1}.50")

    threads = [in_a_thread(work, broken) for work in (agent, customer)]
    for thread in threads:
        thread.join(PATIENCE_SECONDS)
    assert broken == []
    runs = Run.objects.filter(conversation=cast.conversation)
    assert runs.count() == 2 * rounds
    assert runs.filter(state=Run.State.REQUESTED).count() == 1
