"""A failed or expired run is offered again as a new proposal, and never run again."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from acciones.models import Action, AuditEntry, Run
from acciones.readers import FOUND, UNKNOWN, Reading
from acciones.steps import reoffer as step
from acciones.steps.observe import observe
from tests.acciones.cast import Cast, fresh

from .conftest import As


def ended(house: Cast, state: str = "failed", **more: Any) -> Run:
    """Return a run on one lookup's evidence that has come to an end."""
    evidence = observe(
        conversation=house.conversation,
        turn_id=None,
        action=house.get_order,
        arguments={"order_id": "4821"},
        reading=Reading(FOUND, {"status": "delivered"}),
    )
    run = house.approved(evidence=[evidence])
    values = {"certain": True} if state == "failed" else {}
    Run.objects.filter(pk=run.pk).update(
        state=state, finished_at=timezone.now(), due_at=None, **(values | more)
    )
    return run


def read(monkeypatch: pytest.MonkeyPatch, status: str) -> None:
    """Have the world read as it is now: the order has moved on."""

    async def again(_: object) -> Reading:
        data = {"status": "returned"} if status == FOUND else {}
        return Reading(status, data, fingerprint="f" * 64)

    monkeypatch.setattr(step, "read_again", again)


def press(client: Client, run: Run, **fields: str) -> Any:
    return client.post(reverse("admin:acciones_run_reoffer", args=[run.pk]), fields)


@pytest.mark.parametrize("state", ["failed", "expired"])
def test_a_new_proposal_waits_for_the_customer(
    house: Cast, entered: As, monkeypatch: pytest.MonkeyPatch, state: str
) -> None:
    run, client = ended(house, state), entered(house.teammate)
    read(monkeypatch, FOUND)
    shown = client.get(reverse("admin:acciones_run_change", args=[run.pk]))
    assert "Ofrecer de nuevo" in shown.content.decode()
    assert press(client, run).status_code == 302
    new = Run.objects.get(state="requested")
    assert new.pk != run.pk
    assert (new.conversation_id, new.target) == (run.conversation_id, run.target)
    assert fresh(new).proposal.amount_minor == fresh(run).proposal.amount_minor
    [evidence] = new.proposal.evidence.all()
    assert "returned" in evidence.quote
    assert fresh(run).state == state
    assert new.confirmed_at is None
    entry = AuditEntry.objects.get(verb="reoffer")
    assert entry.after == {"proposal": str(new.pk)}


def test_an_uncertain_failure_is_investigated_first(
    house: Cast, entered: As, monkeypatch: pytest.MonkeyPatch
) -> None:
    run, client = ended(house, certain=False), entered(house.owner)
    read(monkeypatch, FOUND)
    press(client, run)
    assert not Run.objects.filter(state="requested").exists()
    press(client, run, checked="1")
    assert Run.objects.filter(state="requested").count() == 1


def test_nothing_is_offered_on_a_world_that_cannot_be_read(
    house: Cast, entered: As, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = ended(house)
    read(monkeypatch, UNKNOWN)
    answer = press(entered(house.owner), run)
    said = entered(house.owner).get(answer["location"])
    assert said.status_code == 200
    assert Run.objects.count() == 1


@pytest.mark.parametrize("state", ["done", "rejected", "cancelled"])
def test_only_what_failed_or_expired_is_offered_again(
    house: Cast, entered: As, state: str
) -> None:
    run = ended(house, state)
    client = entered(house.owner)
    shown = client.get(reverse("admin:acciones_run_change", args=[run.pk]))
    assert "Ofrecer de nuevo" not in shown.content.decode()
    press(client, run)
    assert Run.objects.count() == 1


def test_a_disabled_action_is_not_offered_again(
    house: Cast, entered: As, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = ended(house)
    read(monkeypatch, FOUND)
    Action.objects.filter(pk=house.refund.pk).update(enabled=False)
    press(entered(house.owner), run)
    assert Run.objects.count() == 1


@pytest.mark.parametrize(("who", "status"), [("viewer", 403), ("outsider", 404)])
def test_only_who_may_decide_offers_again(
    house: Cast, entered: As, who: str, status: int
) -> None:
    run, client = ended(house), entered(getattr(house, who))
    assert press(client, run).status_code == status
    address = reverse("admin:acciones_run_reoffer", args=[run.pk])
    assert entered(house.owner).get(address).status_code == 405
    assert Run.objects.count() == 1
