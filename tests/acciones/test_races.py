"""Many at once, with real threads on real rows: one winner, everybody told."""

import threading
from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any

from django.db import connections
from django.utils import timezone

from acciones.errors import MayaError
from acciones.models import Consent, Decision, Run
from acciones.steps.approve import approve
from acciones.steps.confirm import confirm
from acciones.steps.dispatch import dispatch
from acciones.steps.expire import expire
from acciones.steps.reject import reject
from acciones.tokens import issue

from .cast import Cast, fresh, member
from .conftest import Shop

CROWD = 50


def at_once(*jobs: Callable[[], Any]) -> Counter[str]:
    """Run all jobs at the same moment; count how each ended."""
    gate, ended = threading.Barrier(len(jobs)), Counter[str]()
    lock = threading.Lock()

    def work(job: Callable[[], Any]) -> None:
        gate.wait()
        try:
            job()
            name = "won"
        except MayaError as error:
            name = error.code
        finally:
            connections.close_all()
        with lock:
            ended[name] += 1

    threads = [threading.Thread(target=work, args=(job,)) for job in jobs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return ended


def approving(cast: Cast, run: Run) -> Callable[[], Run]:
    return partial(
        approve, run.pk, member=cast.owner, surface="admin", digest=run.digest
    )


def rejecting(cast: Cast, run: Run) -> Callable[[], Run]:
    return partial(
        reject, run.pk, member=cast.teammate, surface="telegram", digest=run.digest
    )


def test_fifty_confirmations_are_one(cast: Cast) -> None:
    run = cast.offer()
    token = issue(run)
    ended = at_once(*[lambda: confirm(run.pk, cast.customer, token=token)] * CROWD)
    assert ended == {"won": 1, "wrong_state": CROWD - 1}
    assert Consent.objects.count() == 1


def test_fifty_approvals_by_fifty_people_are_one(cast: Cast, shop: Shop) -> None:
    run = cast.confirmed()
    people = [member(cast.site, "crowd", "approver") for _ in range(CROWD)]
    ended = at_once(
        *[
            lambda who=who: approve(
                run.pk, member=who, surface="admin", digest=run.digest
            )
            for who in people
        ]
    )
    assert ended == {"won": 1, "wrong_state": CROWD - 1}
    assert Decision.objects.count() == 1
    at_once(*[lambda: dispatch(run.pk)] * 8)
    assert len(shop.refunds()) == 1
    assert len([e for e in shop.log() if e["path"] == "/agent/refund-order"]) == 1


def test_one_member_approving_twice_at_once_decides_once(cast: Cast) -> None:
    cast.refund.quorum = 2
    cast.refund.save()
    run = cast.confirmed()
    Run.objects.filter(pk=run.pk).update(quorum=2)
    ended = at_once(
        *[
            lambda: approve(
                run.pk, member=cast.owner, surface="admin", digest=run.digest
            )
        ]
        * 8
    )
    assert ended == {"won": 1, "already_decided": 7}
    run = fresh(run)
    assert (run.state, run.approvals) == ("awaiting_owner", 1)


def test_approve_against_reject_against_expire(cast: Cast) -> None:
    for _ in range(8):
        run = cast.confirmed(order="4821")
        Run.objects.filter(pk=run.pk).update(expires_at=timezone.now())
        ended = at_once(
            approving(cast, run),
            rejecting(cast, run),
            partial(expire, run.pk),
        )
        assert fresh(run).state == Run.State.EXPIRED
        assert ended == {"won": 1, "expired": 2}


def test_approve_against_reject(cast: Cast) -> None:
    for _ in range(8):
        run = cast.confirmed(order="4821")
        ended = at_once(
            approving(cast, run),
            rejecting(cast, run),
        )
        assert ended == {"won": 1, "wrong_state": 1}
        decision = Decision.objects.get(run=run)
        state = fresh(run).state
        assert (decision.verdict, state) in {
            ("approve", "queued"),
            ("reject", "rejected"),
        }
        Run.objects.filter(pk=run.pk).update(
            state="rejected", finished_at=timezone.now()
        )


def test_a_replacement_against_its_confirmation(cast: Cast) -> None:
    for _ in range(8):
        run = cast.offer()
        token = issue(run)
        at_once(
            partial(confirm, run.pk, cast.customer, token=token),
            partial(cast.offer, order="4822"),
        )
        state = fresh(run).state
        assert state in {"awaiting_owner", "cancelled"}
        assert Run.objects.filter(state="requested").count() == 1
        Run.objects.exclude(state="requested").filter(pk=run.pk).update(
            state="cancelled", finished_at=timezone.now()
        )


def test_twenty_offers_at_once_leave_one_open(cast: Cast) -> None:
    at_once(*[cast.offer] * 20)
    assert Run.objects.filter(state="requested").count() == 1
    replaced = Run.objects.filter(reason="replaced").count()
    assert replaced == Run.objects.count() - 1
