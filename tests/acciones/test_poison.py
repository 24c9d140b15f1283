"""Rows that break whoever touches them: they end, and hold up nobody else."""

import uuid
from typing import Any

import pytest
from django.core import mail

from acciones import notices, readers, tasks
from acciones.models import AgentSecret, Evidence, Notice, Run
from acciones.publish import publish
from acciones.steps.dispatch import dispatch
from acciones.steps.recover import abandoned

from .cast import Cast, fresh, make_due
from .conftest import Shop
from .scene import come
from .test_dead_ends import begun
from .test_outcomes import try_again


def test_evidence_whose_reader_breaks_is_unverifiable(cast: Cast, shop: Shop) -> None:
    broken = Evidence.objects.create(
        conversation=cast.conversation,
        kind="lookup",
        source="get_order",
        reference="order:4821",
        quote="",
        observed={},
        fingerprint="0" * 64,
        query={"action": "get_order"},
    )
    run = cast.approved(evidence=[broken])
    for reads in (1, 2):
        dispatch(run.pk)
        run = fresh(run)
        assert (run.state, run.reads, run.attempts) == ("queued", reads, 0)
        make_due(run)
    dispatch(run.pk)
    run = fresh(run)
    assert (run.state, run.certain, run.reason) == ("failed", True, "unverifiable")


@pytest.mark.parametrize("has_status_lookup", [True, False])
def test_a_secret_that_nobody_can_open_any_more_ends_in_doubt(
    cast: Cast, shop: Shop, has_status_lookup: bool
) -> None:
    if has_status_lookup:
        cast.refund.status_lookup = cast.status
        cast.refund.save()
        publish(cast.refund)
    run = cast.approved()
    AgentSecret.objects.update(sealed=b"sealed with a key that was lost")
    dispatch(run.pk)
    assert (fresh(run).state, fresh(run).attempts) == (Run.State.UNKNOWN, 1)
    for _ in range(4):
        if not fresh(run).is_final:
            run = try_again(run)
    assert (run.state, run.certain, run.reason) == ("failed", False, "exhausted")
    assert shop.log() == []


def test_a_row_that_breaks_the_sweep_holds_up_no_other(
    cast: Cast, shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = cast.approved()
    begun(run)
    come(run.pk, "lease_until")
    monkeypatch.setattr(tasks, "abandoned", lambda: [uuid.uuid4(), *abandoned()])
    monkeypatch.setattr(tasks.dispatch, "delay", lambda run_id: None)
    tasks.sweep()
    assert fresh(run).state == Run.State.UNKNOWN


def test_a_mail_that_cannot_be_sent_holds_up_no_other(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs = [cast.offer(order) for order in ("4821", "4822")]
    for run in runs:
        Notice.objects.create(run=run, kind=Notice.Kind.UNCERTAIN)
    send = notices._mail

    def refuse_the_first(run: Run, people: list[str]) -> None:
        if run.pk == runs[0].pk:
            raise OSError
        send(run, people)

    monkeypatch.setattr(notices, "_mail", refuse_the_first)
    notices.tell_forgotten()
    assert len(mail.outbox) == 1
    assert Notice.objects.get(told_at=None).run_id == runs[0].pk


def test_a_rule_that_changed_is_no_ground_for_a_new_offer(
    cast: Cast, shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def changed(evidence: Evidence) -> readers.Reading:
        return readers.Reading(readers.FOUND, {"text": "No."}, fingerprint="1" * 64)

    monkeypatch.setitem(readers._readers, "policy", changed)
    rule: dict[str, Any] = {"source": "política", "reference": "returns:section-3"}
    passage = Evidence.objects.create(
        conversation=cast.conversation,
        kind="policy",
        quote="Sí.",
        observed={"text": "Sí."},
        fingerprint="0" * 64,
        **rule,
    )
    run = cast.approved(evidence=[passage])
    dispatch(run.pk)
    run = fresh(run)
    assert (run.state, run.certain, run.reason) == ("failed", True, "stale")
    assert not Run.objects.filter(state=Run.State.REQUESTED).exists()
