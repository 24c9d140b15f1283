"""Owners rehearse in the admin: the agent answers, the buttons are inert."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from acciones.models import Conversation, Evidence, Member, Run, Site
from agente.loop.run import run_turn
from agente.models import Rehearsal, Turn
from tests.acciones.cast import member
from tests.agente.conftest import Shop

ASKED = "Revisa el pedido 4821 y prepara un reembolso"


def entered(who: Member) -> Client:
    """Sign somebody in."""
    client = Client()
    client.force_login(who.user)
    return client


@pytest.fixture
def owner(tienda: Site) -> Client:
    """Return the browser of the site's owner."""
    return entered(member(tienda, "owner", Member.Role.OWNER))


def begin(owner: Client, site: Site, **more: str) -> Rehearsal:
    """Fill the form in and begin."""
    form = {"site": str(site.pk), "customer_id": "ana", "lookups": "real", **more}
    answer = owner.post(reverse("admin:agente_rehearsal_add"), form)
    assert answer.status_code == 302, answer.context["adminform"].form.errors
    return Rehearsal.objects.latest("created")


def say(owner: Client, row: Rehearsal, text: str) -> str:
    """Say something on the page and let the worker answer."""
    address = reverse("admin:agente_rehearsal_change", args=[row.pk])
    assert owner.post(address, {"text": text}).status_code == 302
    for turn in Turn.objects.filter(conversation_id=row.pk):
        if turn.is_open:
            run_turn(turn.pk)
    return str(owner.get(address).content.decode())


def test_a_rehearsal_talks_proposes_and_sends_only_reads(
    owner: Client, tienda: Site, shop: Shop
) -> None:
    row = begin(owner, tienda)
    assert "12 días" in say(owner, row, ASKED)
    page = say(owner, row, "Sí, está sin abrir")
    run = Run.objects.get()
    assert run.conversation.rehearsal
    assert page.count(" disabled>") == 2
    assert "Visitante de ensayo: sin firma" in page
    assert "tu sitio firmó su identidad" not in page
    assert "No es una prueba de tu endpoint" in page
    assert set(shop.paths()) == {"/agent/get-order"}
    assert shop.refunds() == []


def test_canned_answers_ask_nobody_and_say_what_they_are(
    owner: Client, tienda: Site, shop: Shop
) -> None:
    canned = '{"get_order": {"status": "not_found"}}'
    row = begin(owner, tienda, lookups="canned", answers=canned)
    page = say(owner, row, ASKED)
    assert "respuestas de ejemplo; tu sistema no recibe nada" in page
    assert shop.log() == []
    found = '{"get_order": {"status": "found", "data": {"status": "delivered"}}}'
    row = begin(owner, tienda, lookups="canned", answers=found)
    say(owner, row, ASKED)
    evidence = Evidence.objects.get(conversation_id=row.pk, kind="lookup")
    assert evidence.title.endswith("(respuesta de ejemplo)")
    assert shop.log() == []


def test_what_is_no_answer_is_refused(owner: Client, tienda: Site) -> None:
    form = {"site": tienda.pk, "lookups": "canned", "answers": '{"get_order": 1}'}
    answer = owner.post(reverse("admin:agente_rehearsal_add"), form)
    assert "«status» y «data»" in str(answer.context["adminform"].form.errors)
    assert not Conversation.objects.exists()


@pytest.mark.parametrize("role", [Member.Role.VIEWER, Member.Role.APPROVER])
def test_only_owners_rehearse(owner: Client, tienda: Site, role: str) -> None:
    row = begin(owner, tienda, customer_id="")
    other: Any = entered(member(tienda, "other", role))
    assert other.get(reverse("admin:agente_rehearsal_add")).status_code == 403
    address = reverse("admin:agente_rehearsal_change", args=[row.pk])
    assert other.post(address, {"text": "hola"}).status_code == 403
    assert not Turn.objects.exists()
