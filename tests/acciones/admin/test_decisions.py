"""Decisions from the admin: on what was on screen, once, by whoever may."""

import uuid
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.urls import reverse
from django.utils import timezone

from acciones.models import Decision, Member, Run
from acciones.steps.approve import approve
from acciones.steps.reject import reject
from tests.acciones.cast import Cast, fresh, talk

from .conftest import As


def press(client: Any, run: Run, verdict: str = "approve", **more: Any) -> Any:
    form = {"verdict": verdict, "digest": run.digest, "reason": "", **more}
    return client.post(reverse("admin:decide", args=[run.pk]), form, follow=True)


def test_approving_queues_the_run_and_says_so(house: Cast, entered: As) -> None:
    run = house.confirmed()
    answer = press(entered(house.owner), run, reason=" Claro ")
    assert fresh(run).state == "queued"
    decision = Decision.objects.get()
    assert (decision.verdict, decision.surface, decision.reason, decision.digest) == (
        "approve",
        "admin",
        "Claro",
        run.digest,
    )
    name = house.owner.user.get_username()
    assert f"La aprobó {name} desde el admin" in answer.content.decode()


def test_rejecting_sends_nothing_and_keeps_the_reason(house: Cast, entered: As) -> None:
    run = house.confirmed()
    answer = press(entered(house.teammate), run, "reject", reason="Fuera de plazo")
    assert fresh(run).state == "rejected"
    assert Decision.objects.get().reason == "Fuera de plazo"
    assert "No se envió nada." in answer.content.decode()


def test_a_stale_page_learns_who_was_faster(house: Cast, entered: As) -> None:
    run = house.confirmed()
    reject(run.pk, member=house.teammate, surface="telegram", digest=run.digest)
    shown = press(entered(house.owner), run).content.decode()
    name = house.teammate.user.get_username()
    assert f"La rechazó {name} desde Telegram" in shown
    assert Decision.objects.count() == 1
    assert fresh(run).state == "rejected"


def test_a_second_click_changes_nothing(house: Cast, entered: As) -> None:
    run = house.confirmed()
    client = entered(house.owner)
    press(client, run)
    press(client, run, "reject")
    assert Decision.objects.count() == 1
    assert fresh(run).state == "queued"


def test_a_late_click_commits_the_expiry_and_says_so(house: Cast, entered: As) -> None:
    run = house.confirmed()
    Run.objects.filter(pk=run.pk).update(expires_at=timezone.now())
    shown = press(entered(house.owner), run).content.decode()
    assert fresh(run).state == "expired"
    assert "Caducó sin que nadie decidiera" in shown
    assert not Decision.objects.exists()


def test_another_digest_than_the_stored_one_decides_nothing(
    house: Cast, entered: As
) -> None:
    run = house.confirmed()
    for digest in ("", "0" * 64, run.digest[:8]):
        shown = press(entered(house.owner), run, digest=digest).content.decode()
        assert "no coincide" in shown
    assert fresh(run).state == "awaiting_owner"


def test_who_may_not_decide_cannot_by_address_either(
    house: Cast, entered: As, support: User
) -> None:
    run = house.confirmed()
    assert press(entered(house.viewer), run).status_code == 403
    assert press(entered(support), run).status_code == 403
    assert press(entered(house.outsider), run).status_code == 404
    ghost = reverse("admin:decide", args=[uuid.uuid4()])
    form = {"verdict": "approve", "digest": "x"}
    assert entered(house.owner).post(ghost, form).status_code == 404
    assert fresh(run).state == "awaiting_owner"


def test_nobody_approves_their_own_request(house: Cast, entered: As) -> None:
    run = house.confirmed()
    Member.objects.filter(pk=house.owner.pk).update(customer_id="ana")
    shown = press(entered(house.owner), run).content.decode()
    assert "Nadie aprueba lo que pidió como cliente" in shown
    assert fresh(run).state == "awaiting_owner"


def test_a_quorum_waits_for_the_second(house: Cast, entered: As) -> None:
    house.refund.quorum = 2
    house.refund.save()
    run = house.confirmed()
    shown = press(entered(house.owner), run).content.decode()
    assert "Faltan aprobaciones: 1 de 2" in shown
    press(entered(house.owner), run)
    assert fresh(run).state == "awaiting_owner"
    press(entered(house.teammate), run)
    assert fresh(run).state == "queued"


def test_the_live_page_gets_its_card_back(house: Cast, entered: As) -> None:
    run = house.confirmed()
    client = entered(house.owner)
    address = reverse("admin:decide", args=[run.pk])
    form = {"verdict": "approve", "digest": run.digest}
    for round_number in range(2):
        shown = client.post(
            address, form, headers={"x-maya-fragment": "1"}
        ).content.decode()
        assert shown.lstrip().startswith("<article")
        assert "La aprobó" in shown
        assert ('role="alert"' in shown) == (round_number == 1)


@pytest.mark.parametrize("verdict", ["", "confirm", "APPROVE"])
def test_an_unknown_verb_is_no_decision(house: Cast, entered: As, verdict: str) -> None:
    run = house.confirmed()
    assert press(entered(house.owner), run, verdict).status_code == 404
    assert fresh(run).state == "awaiting_owner"


def two(house: Cast) -> tuple[Run, Run]:
    return (
        house.confirmed(),
        house.confirmed(order="99", conversation=talk(house.site, house.customer)),
    )


def ticked(*runs: Run) -> dict[str, list[str]]:
    return {"run": [f"{run.pk}:{run.digest}" for run in runs]}


def test_bulk_shows_each_exactly_before_anything(house: Cast, entered: As) -> None:
    first, second = two(house)
    shown = (
        entered(house.owner)
        .post(reverse("admin:review"), ticked(first, second))
        .content.decode()
    )
    for run in (first, second):
        assert f"{run.pk}:{run.digest}" in shown
    assert "Todavía no se ha aprobado nada" in shown
    assert not Decision.objects.exists()


def test_bulk_approves_the_shown_once_each_and_names_the_late(
    house: Cast, entered: As
) -> None:
    first, second = two(house)
    approve(first.pk, member=house.teammate, surface="admin", digest=first.digest)
    form = ticked(second, second, first)
    answer = entered(house.owner).post(reverse("admin:bulk"), form, follow=True)
    shown = answer.content.decode()
    assert "Aprobaste 1 solicitud." in shown
    assert f"La aprobó {house.teammate.user.get_username()}" in shown
    assert fresh(second).state == "queued"
    assert Decision.objects.filter(run=second).count() == 1
    assert Decision.objects.filter(run=first).count() == 1


def test_bulk_with_one_foreign_id_decides_nothing(house: Cast, entered: As) -> None:
    first, second = two(house)
    client = entered(house.outsider)
    form = ticked(first, second)
    assert client.post(reverse("admin:bulk"), form).status_code == 404
    assert entered(house.viewer).post(reverse("admin:bulk"), form).status_code == 403
    assert not Decision.objects.exists()
