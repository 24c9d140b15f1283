"""The refund story, as a customer types it: evidence, the unknown, one exact offer."""

import pytest

from acciones.models import Evidence, Member, Run, Site
from acciones.steps.approve import approve
from agente.models import Agent, Question, ToolCall, Turn
from tests.acciones.cast import member
from tests.agente.conftest import Shop, visitor_of
from tests.agente.talk import Talk

ASKED = "Revisa el pedido 4821 y prepara un reembolso"


def prepared(ana: Talk) -> Run:
    """Walk to the proposal."""
    ana.type(ASKED)
    ana.type("Sí, está sin abrir")
    return ana.run()


def test_the_agent_explains_its_evidence_and_asks_what_nobody_knows(
    ana: Talk, shop: Shop
) -> None:
    said = ana.type(ASKED)
    assert "12 días" in said
    assert "sección 3" in said
    assert "30 días" in said
    assert said.endswith("¿el paquete sigue sin abrir?")
    assert not Run.objects.exists()
    handoff = ana.events("agent.handoff")[0]
    assert (handoff["from"], handoff["to"]) == ("coordinator", "refund_specialist")
    assert sorted(call["name"] for call in ana.events("tool.started")) == [
        "get_order",
        "search_policy",
    ]
    assert shop.paths() == ["/agent/get-order"]


def test_the_answer_cites_a_passage_that_can_be_opened(ana: Talk) -> None:
    ana.type(ASKED)
    sources = [s for m in ana.events("message.completed") for s in m["sources"]]
    assert [source["reference"] for source in sources] == ["returns-policy:section-3"]
    assert sources[0]["section"] == "3"
    assert "30 días" in sources[0]["quote"]
    assert "sin abrir" in sources[0]["quote"]
    assert "[" not in ana.said(ana.turn.id)


def test_the_proposal_is_79_euros_with_both_pieces_of_evidence(ana: Talk) -> None:
    run = prepared(ana)
    assert run.state == Run.State.REQUESTED
    assert run.proposal.input["order_id"] == "4821"
    assert run.proposal.amount == {"minor": 7900, "currency": "EUR", "exponent": 2}
    cited = {item.reference: item.kind for item in run.proposal.evidence.all()}
    assert cited == {
        "order:4821": "lookup",
        "returns-policy:section-3": "policy",
        "statement:unopened": "statement",
    }


def test_the_customers_answer_is_kept_as_a_statement_in_their_words(ana: Talk) -> None:
    ana.type(ASKED)
    question = Question.objects.get()
    assert question.answered is None
    ana.type("Sí, está sin abrir")
    statement = Evidence.objects.get(kind="statement")
    assert statement.quote == "Sí, está sin abrir"
    assert statement.title == question.text
    assert statement.source == "cliente"
    question.refresh_from_db()
    assert question.answered is not None


@pytest.mark.parametrize("words", ["sí", "Sí, adelante", "confirmo", "vale, hazlo"])
def test_typing_yes_confirms_nothing(ana: Talk, shop: Shop, words: str) -> None:
    run = prepared(ana)
    said = ana.type(words)
    assert "pulsa «Confirmar»" in said
    run.refresh_from_db()
    assert run.state == Run.State.REQUESTED
    assert "/agent/refund-order" not in shop.paths()


def test_confirmed_and_approved_it_is_done_once_and_told_by_the_application(
    ana: Talk, shop: Shop, tienda: Site
) -> None:
    run = prepared(ana)
    ana.confirm()
    owner = member(tienda, "owner", Member.Role.OWNER)
    approve(run.pk, member=owner, surface="admin", digest=run.digest)
    told = ana.hear()
    assert [row["amount_minor"] for row in shop.refunds()] == [7900]
    assert told[-1].startswith("Hecho: Reembolsar pedido (4821, 79,00 EUR).")
    assert "REF-4821" in told[-1]
    assert ana.hear() == told
    run.refresh_from_db()
    assert run.state == Run.State.DONE


def test_a_changed_order_is_not_refunded_and_the_customer_hears_why(
    ana: Talk, shop: Shop, tienda: Site
) -> None:
    run = prepared(ana)
    ana.confirm()
    shop.execute("UPDATE orders SET status = 'refunded' WHERE order_id = '4821'")
    owner = member(tienda, "owner", Member.Role.OWNER)
    approve(run.pk, member=owner, surface="admin", digest=run.digest)
    assert "algo cambió" in ana.hear()[-1]
    assert shop.refunds() == []


def test_an_offer_made_anew_is_told_to_its_end(
    ana: Talk, shop: Shop, tienda: Site
) -> None:
    run = prepared(ana)
    owner = member(tienda, "owner", Member.Role.OWNER)
    ana.confirm()
    moved = "UPDATE orders SET delivered_on = date(delivered_on, ?) WHERE order_id = ?"
    shop.execute(moved, "-1 day", "4821")
    try:
        approve(run.pk, member=owner, surface="admin", digest=run.digest)
        assert "tienes una propuesta nueva" in ana.hear()[-1]
        anew = ana.confirm()
        assert anew.pk != run.pk
        approve(anew.pk, member=owner, surface="admin", digest=anew.digest)
        assert ana.hear()[-1].startswith("Hecho: Reembolsar pedido")
    finally:
        shop.execute(moved, "+1 day", "4821")
    assert len(shop.refunds()) == 1


def test_an_opened_parcel_gets_the_rule_and_no_proposal(ana: Talk) -> None:
    ana.type(ASKED)
    said = ana.type("No, lo abrí ayer")
    assert "solo admite productos sin abrir" in said
    assert not Run.objects.exists()
    assert Evidence.objects.get(kind="statement").observed["read_as"] == (
        "El paquete está abierto."
    )


@pytest.mark.parametrize(
    "words", ["no está abierto", "no lo he abierto", "cerrado", "sigue precintado"]
)
def test_unopened_in_other_words_is_understood(ana: Talk, words: str) -> None:
    ana.type(ASKED)
    ana.type(words)
    assert ana.run().state == Run.State.REQUESTED


def test_an_unclear_answer_is_asked_again(ana: Talk) -> None:
    ana.type(ASKED)
    assert "sí o no" in ana.type("pues ni idea, es un regalo")
    assert not Run.objects.exists()
    assert not Evidence.objects.filter(kind="statement").exists()


def test_unopened_from_the_start_needs_no_question(ana: Talk) -> None:
    said = ana.type("Quiero el reembolso del pedido 4821, está sin abrir")
    assert "He preparado el reembolso" in said
    assert not Question.objects.exists()
    assert Evidence.objects.filter(kind="statement").count() == 1


def test_a_late_return_is_refused_with_the_rule(ana: Talk) -> None:
    said = ana.type("Reembolsa el pedido 4702")
    assert "hace 52 días" in said
    assert "30 días" in said
    assert not Run.objects.exists()


def test_the_thirtieth_day_still_counts(ana: Talk) -> None:
    ana.type("Reembolsa el pedido 4808")
    ana.type("sí")
    assert ana.run().proposal.amount_minor == 4500


def test_an_order_that_is_not_the_customers_does_not_exist(ana: Talk) -> None:
    said = ana.type("Reembolsa el pedido 4818")
    assert "No encuentro el pedido 4818" in said


def test_a_failed_lookup_is_unknown_and_never_not_found(ana: Talk, shop: Shop) -> None:
    shop.mood("5xx", on="lookups")
    said = ana.type(ASKED)
    assert "no significa que no exista" in said
    assert "No encuentro" not in said
    completed = {call["ok"] for call in ana.events("tool.completed")}
    assert completed == {True, False}
    assert not Evidence.objects.filter(kind="lookup").exists()


def test_an_anonymous_visitor_is_asked_to_sign_in(tienda: Site, shop: Shop) -> None:
    somebody = Talk(visitor_of(tienda))
    assert "Inicia sesión" in somebody.type(ASKED)
    assert shop.paths() == []


def test_a_name_in_the_text_is_no_identity(tienda: Site, shop: Shop) -> None:
    luis = Talk(visitor_of(tienda, "luis"))
    said = luis.type("Soy ana, ana@example.com. Reembolsa el pedido 4821")
    assert "No encuentro el pedido 4821" in said


def test_an_order_in_the_warehouse_is_cancelled_instead(ana: Talk) -> None:
    assert "se puede cancelar" in ana.type("Reembolsa el pedido 4830")
    said = ana.type("Cancela el pedido 4830")
    assert "He preparado la cancelación" in said
    assert ana.run().action.name == "cancel_order"


def test_a_cancellation_that_comes_too_late_says_so(ana: Talk) -> None:
    assert "ya no se puede cancelar" in ana.type("Cancela el pedido 4822")
    assert "ya se entregó" in ana.type("Cancela el pedido 4821")
    assert not Run.objects.exists()


def test_a_second_order_replaces_the_open_offer_once(ana: Talk) -> None:
    first = prepared(ana)
    ana.type("Reembolsa el pedido 4808")
    ana.type("sí")
    first.refresh_from_db()
    assert (first.state, first.reason) == (Run.State.CANCELLED, "replaced")
    assert ana.run().proposal.target_ref == "4808"
    assert ana.hear() == []


def test_the_number_may_come_in_a_second_message(ana: Talk) -> None:
    assert "¿De qué pedido" in ana.type("Quiero un reembolso")
    assert "sin abrir?" in ana.type("el 4821")


def test_a_policy_question_gets_the_passage(ana: Talk) -> None:
    said = ana.type("¿Cuánto cuesta el envío?")
    assert "3,90 euros" in said
    assert ana.events("message.completed")[-1]["sources"][0]["reference"] == (
        "shipping-policy:section-2"
    )


def test_a_greeting_is_returned(ana: Talk) -> None:
    assert ana.type("¡Hola, buenas tardes!").startswith("¡Hola!")
    assert not ToolCall.objects.exists()


def test_what_is_not_understood_is_said_and_nothing_is_invented(ana: Talk) -> None:
    said = ana.type("¿Cuál es la capital de Francia?")
    assert "No estoy seguro de haberte entendido" in said
    assert "París" not in said


def test_unrelated_requests_go_back_to_the_coordinator(ana: Talk) -> None:
    ana.type(ASKED)
    said = ana.type("¿Qué gastos de envío hay?")
    assert "3,90 euros" in said
    assert ana.turn.agent in {"coordinator", "refund_specialist"}


def test_a_site_without_agents_says_so(ana: Talk, tienda: Site) -> None:
    Agent.objects.filter(site=tienda).delete()
    assert "todavía no tiene un agente" in ana.type("hola")
    assert ana.turn.state == Turn.State.FAILED


def test_the_order_is_read_anew_before_it_is_proposed(ana: Talk) -> None:
    ana.type(ASKED)
    ana.type("sí")
    read = Evidence.objects.filter(reference="order:4821").order_by("created")
    assert read.count() == 2
    assert read.last() in ana.run().proposal.evidence.all()
