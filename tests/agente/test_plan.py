"""The bank's story: panorama, simulation, a surface, and a button that is an offer."""

from typing import Any

import pytest

from acciones.errors import BadInput, EvidenceMissing, Expired, NotFound
from acciones.models import AppliedAction, Offer, Run, Site
from agente.models import Turn
from agente.surfaces import catalogue
from agente.surfaces.click import ActionInFlight, KeyRequired, KeyReused
from tests.agente.conftest import Bank, visitor_of
from tests.agente.talk import Talk

ASKED = "¿Cómo voy con mi tarjeta?"
BUTTON = "btn_aplicar_18m"
APPLIED = "SELECT idempotency_key, tipo_accion, cliente_id, payload FROM "
APPLIED += "banorte.acciones_aplicadas"


def plan(months: int) -> dict[str, Any]:
    """Return what the button sends, as the seed writes it."""
    return {"tarjetaId": "tc_4821", "plazoMeses": months, "tasaPactada": 22.5}


def simulate(beto: Talk, months: int) -> None:
    """Let go of the slider."""
    context = {"tarjetaId": "tc_4821", "plazoMeses": months}
    beto.click("simular_plan", context, component="plazo")


def messages(beto: Talk, *, turn: bool = False) -> list[dict[str, Any]]:
    """Return the A2UI messages that were emitted."""
    return [e["message"] for e in beto.events("surface.updated", turn=turn)]


def test_the_card_is_told_with_the_seeds_tools_and_words(beto: Talk) -> None:
    said = beto.type(ASKED)
    assert "12 días de mora" in said
    assert "Te recomendamos reestructurar a 18 meses" in said
    calls = [(call["name"], call["params"]) for call in beto.events("tool.started")]
    assert calls[0] == ("panorama_inicial", {"clienteId": "beto"})
    assert calls[1][0] == "simular_reestructura"
    assert calls[1][1]["tarjetaId"] == "tc_4821"
    kinds = [kind for m in messages(beto) for kind in m if kind != "version"]
    assert kinds == ["createSurface", "updateComponents", "updateDataModel"]
    assert messages(beto)[0]["createSurface"] == {
        "surfaceId": "s1",
        "catalogId": "/catalogo/v1.json",
    }


def test_every_emitted_message_is_valid_a2ui(beto: Talk) -> None:
    beto.type(ASKED)
    simulate(beto, 24)
    assert len(messages(beto)) > 3
    assert [catalogue.problem(message) for message in messages(beto)] == [""] * len(
        messages(beto)
    )


def test_the_button_is_an_offer_made_when_it_is_shown(beto: Talk, bank: Bank) -> None:
    beto.type(ASKED)
    offer = Offer.objects.get()
    assert (offer.surface_id, offer.component_id) == ("s1", BUTTON)
    assert offer.run.state == Run.State.REQUESTED
    assert offer.run.proposal.input == {"clienteId": "beto", **plan(18)}
    cited = [item.source for item in offer.run.proposal.evidence.all()]
    assert cited == ["simular_reestructura"]
    assert bank.rows(APPLIED) == []


def test_the_click_confirms_exactly_what_was_on_screen(beto: Talk, bank: Bank) -> None:
    beto.type(ASKED)
    beto.click("aplicar_plan_pago", plan(18), component=BUTTON)
    assert beto.types() == ["action.received", "run.status"]
    assert beto.run().state == Run.State.QUEUED
    told = beto.hear()
    [(key, kind, customer, payload)] = bank.rows(APPLIED)
    assert (key, kind, customer) == (str(beto.run().pk), "aplicar_plan_pago", "beto")
    assert payload["resultado"]["plazoMeses"] == 18
    assert told[-1].startswith("Hecho: Aplicar plan de pago (tc_4821).")
    assert "ya tiene un plan de 18 meses" in beto.type(ASKED)


def test_the_slider_simulates_again_on_the_same_surface(beto: Talk) -> None:
    beto.type(ASKED)
    simulate(beto, 24)
    assert "A 24 meses" in beto.said(beto.turn.pk)
    assert beto.turn.agent == "debt_specialist"
    again = messages(beto, turn=True)
    assert {kind for m in again for kind in m} == {"version", "updateDataModel"}
    assert {m["updateDataModel"]["surfaceId"] for m in again} == {"s1"}
    by_path = {m["updateDataModel"]["path"]: m["updateDataModel"] for m in again}
    assert by_path["/simulacion"]["value"]["plazoMeses"] == 24
    # The tab that the person chose is not reset
    assert "/pestana" not in by_path


def test_a_new_simulation_replaces_the_offer(beto: Talk) -> None:
    beto.type(ASKED)
    simulate(beto, 24)
    first, second = beto.runs()
    assert (first.state, first.reason) == (Run.State.CANCELLED, "replaced")
    assert second.proposal.input["plazoMeses"] == 24
    beto.click("aplicar_plan_pago", plan(24), component=BUTTON)
    second.refresh_from_db()
    assert second.state == Run.State.QUEUED


def test_a_click_on_an_older_screen_makes_a_new_proposal(
    beto: Talk, bank: Bank
) -> None:
    beto.type(ASKED)
    simulate(beto, 24)
    beto.click("aplicar_plan_pago", plan(18), component=BUTTON)
    assert beto.run().state == Run.State.REQUESTED
    assert beto.run().proposal.input["plazoMeses"] == 18
    assert "confírmala en la tarjeta" in beto.said(beto.turn.pk)
    beto.hear()
    assert bank.rows(APPLIED) == []


def test_a_plan_that_was_never_simulated_has_no_evidence(beto: Talk) -> None:
    beto.type(ASKED)
    with pytest.raises(EvidenceMissing):
        beto.click("aplicar_plan_pago", plan(36), component=BUTTON)
    assert AppliedAction.objects.count() == 0


def test_the_session_cannot_be_named_in_the_context(beto: Talk) -> None:
    beto.type(ASKED)
    with pytest.raises(BadInput):
        beto.click(
            "aplicar_plan_pago", {"clienteId": "carla", **plan(18)}, component=BUTTON
        )


def test_a_change_needs_a_key(beto: Talk) -> None:
    beto.type(ASKED)
    with pytest.raises(KeyRequired):
        beto.click("aplicar_plan_pago", plan(18), component=BUTTON, key="")
    assert beto.run().state == Run.State.REQUESTED


def test_a_repeated_click_gets_the_stored_lines_and_changes_nothing(
    beto: Talk, bank: Bank
) -> None:
    beto.type(ASKED)
    first = beto.click("aplicar_plan_pago", plan(18), component=BUTTON, key="seed")
    beto.hear()
    again = beto.click("aplicar_plan_pago", plan(18), component=BUTTON, key="seed")
    assert (again.turn_id, again.position) == (first.turn_id, first.position)
    assert again.replay is not None
    types = [envelope["type"] for envelope in again.replay]
    assert types[0] == "action.received"
    assert types[-1] == "run.status"
    third = beto.click("aplicar_plan_pago", plan(18), component=BUTTON, key="seed")
    assert third.replay == again.replay
    assert len(bank.rows(APPLIED)) == 1


def test_a_key_with_another_content_is_refused(beto: Talk) -> None:
    beto.type(ASKED)
    beto.click("aplicar_plan_pago", plan(18), component=BUTTON, key="seed")
    with pytest.raises(KeyReused):
        beto.click("aplicar_plan_pago", plan(24), component=BUTTON, key="seed")
    with pytest.raises(KeyReused):
        beto.click("elegir_plazo", plan(18), component=BUTTON, key="seed")


def test_a_click_in_flight_is_not_taken_twice(beto: Talk) -> None:
    beto.type(ASKED)
    action = {
        "name": "simular_plan",
        "surfaceId": "s1",
        "sourceComponentId": "plazo",
        "context": {"tarjetaId": "tc_4821", "plazoMeses": 12},
        "idempotencyKey": "slow",
    }
    beto.act(action)
    with pytest.raises(ActionInFlight):
        beto.act(action)


def test_an_expired_offer_is_committed_as_expired_and_answers_409(beto: Talk) -> None:
    beto.type(ASKED)
    run = beto.run()
    Run.objects.filter(pk=run.pk).update(expires_at=run.created)
    with pytest.raises(Expired) as refused:
        beto.click("aplicar_plan_pago", plan(18), component=BUTTON, key="late")
    assert refused.value.status == 409
    run.refresh_from_db()
    assert run.state == Run.State.EXPIRED
    assert not AppliedAction.objects.filter(key="late").exists()


def test_a_choice_is_recorded_and_confirms_nothing(beto: Talk) -> None:
    beto.type(ASKED)
    beto.click("elegir_plazo", {"plazoMeses": ["24"]}, component="eleccion", key="")
    assert beto.types() == ["choice.recorded", "run.status"]
    assert beto.events("choice.recorded") == [
        {
            "name": "elegir_plazo",
            "surface_id": "s1",
            "component_id": "eleccion",
            "context": {"plazoMeses": ["24"]},
        }
    ]
    assert beto.run().state == Run.State.REQUESTED
    assert beto.turn.state == Turn.State.DONE


def test_what_is_of_the_screen_never_reaches_the_agent(beto: Talk) -> None:
    beto.type(ASKED)
    before = Turn.objects.count()
    with pytest.raises(BadInput):
        beto.click("ver_comparar", {})
    assert Turn.objects.count() == before


def test_another_visitors_conversation_does_not_exist(beto: Talk, banco: Site) -> None:
    beto.type(ASKED)
    other = Talk(visitor_of(banco, "beto"), beto.conversation_id)
    with pytest.raises(NotFound):
        other.click("aplicar_plan_pago", plan(18), component=BUTTON)
    assert beto.run().state == Run.State.REQUESTED


def test_a_bank_that_does_not_answer_is_unknown(beto: Talk, banco: Site) -> None:
    banco.connection_set.update(url="http://127.0.0.1:9/mcp")
    assert "no puedo consultar" in beto.type(ASKED)


def test_an_anonymous_visitor_is_asked_to_sign_in(banco: Site) -> None:
    somebody = Talk(visitor_of(banco))
    assert "Entra en tu banca" in somebody.type(ASKED)


def test_money_is_set_aside_by_its_amount(beto: Talk, bank: Bank) -> None:
    said = beto.type("Aparta 1,500 pesos para las vacaciones de enero")
    assert "1500.00 MXN" in said
    run = beto.run()
    assert run.proposal.amount == {"minor": 150000, "currency": "MXN", "exponent": 2}
    beto.confirm()
    assert "1,500.00 MXN" in beto.hear()[-1]
    assert bank.rows("SELECT nombre, monto::text FROM banorte.apartados") == [
        ("Vacaciones de enero", "1500.00")
    ]


def test_a_rule_of_the_bank_is_cited(beto: Talk) -> None:
    said = beto.type("¿Qué plazos hay para reestructurar?")
    assert "de 6 a 36 meses" in said
