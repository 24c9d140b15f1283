"""Answers that go astray: calls that do not fit, cuts, budgets, drafts, sources."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from pydantic_ai.exceptions import ModelHTTPError

from acciones.models import Site
from agente.knowledge.publish import publish
from agente.loop import budget
from agente.loop.due import due_turns
from agente.loop.run import run_turn
from agente.models import Policy, ToolCall, Turn, TurnAttempt
from agente.tools import policies
from maya.lib import wake
from tests.agente.conftest import Shop
from tests.agente.puppet import Puppet
from tests.agente.talk import Talk
from tests.agente.waiting import ask, attempts, lose_lease

SEARCH = [("search_policy", {"question": "devoluciones"})]


def test_reads_that_lead_nowhere_end_in_a_sentence(
    talk: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    puppet = Puppet([SEARCH]).take(monkeypatch)
    turn = ask(talk)
    run_turn(turn.pk)
    assert len(puppet.seen) == budget.STEPS
    assert "me detengo" in talk.said(turn.pk)
    assert (talk.turn.state, talk.turn.reason) == (Turn.State.FAILED, "budget")


def test_a_message_that_waited_for_a_worker_is_answered_all_the_same(
    talk: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    Puppet([SEARCH, "Hay 30 días."]).take(monkeypatch)
    turn = ask(talk)
    Turn.objects.update(created=timezone.now() - timedelta(hours=1))
    run_turn(turn.pk)
    assert talk.said(turn.pk) == "Hay 30 días."


def test_results_of_earlier_turns_are_shortened(
    talk: Talk, plain_site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    policy = Policy.objects.get(site=plain_site)
    publish(policy, "## 1. Devoluciones\n\n" + "palabra " * 450)
    puppet = Puppet([SEARCH, "Ya.", "Otra vez."]).take(monkeypatch)
    run_turn(ask(talk).pk)
    whole = puppet.results()[0]
    run_turn(ask(talk, "¿y?").pk)
    short = puppet.results()[0]
    assert len(short) < 2_000 < len(whole)
    assert '"status": "found"' in short


def test_agents_that_pass_a_customer_on_and_on_end_in_a_sentence(
    talk: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    Puppet(
        [
            [(f"transfer_to_{name}", {"reason": "no es mío"})]
            for name in ("other", "root") * 5
        ]
    ).take(monkeypatch)
    turn = ask(talk)
    run_turn(turn.pk)
    assert "me detengo" in talk.said(turn.pk)
    assert len(talk.events("agent.handoff")) == budget.HANDOFFS + 1


def test_a_turn_that_kills_its_workers_is_given_up(
    talk: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    Puppet(["Hola."]).take(monkeypatch)
    turn = ask(talk)
    Turn.objects.filter(pk=turn.pk).update(claims=budget.CLAIMS)
    run_turn(turn.pk)
    assert "Algo falló" in talk.said(turn.pk)
    assert talk.turn.reason == "crashed"


@pytest.mark.parametrize(
    ("call", "diagnosis"),
    [
        (("no_such_tool", {}), "unknown_tool"),
        (("search_policy", {}), "bad_arguments"),
        (("search_policy", {"question": "x", "site": "otro"}), "bad_arguments"),
        (("search_policy", {"question": 7}), "bad_arguments"),
        (("search_policy", '{"question": "devol'), "bad_json"),
        (("search_policy", '{"question": "a", "question": "b"}'), "bad_json"),
        (("search_policy", "[]"), "bad_json"),
        (("confirm_refund", {"run": "x"}), "unknown_tool"),
    ],
)
def test_a_call_that_does_not_fit_is_never_stored(
    talk: Talk, monkeypatch: pytest.MonkeyPatch, call: tuple[str, Any], diagnosis: str
) -> None:
    puppet = Puppet([[call], "Bien."]).take(monkeypatch)
    turn = ask(talk)
    run_turn(turn.pk)
    assert not ToolCall.objects.exists()
    assert attempts(turn) == [(1, "broken", diagnosis), (2, "accepted", "")]
    assert talk.said(turn.pk) == "Bien."
    assert "Tu respuesta anterior no se aceptó" in puppet.instructions[1]


def test_one_bad_call_rejects_the_whole_response(
    talk: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    Puppet([[*SEARCH, ("search_policy", {})], "Bien."]).take(monkeypatch)
    turn = ask(talk)
    run_turn(turn.pk)
    assert not ToolCall.objects.exists()


def test_a_cut_answer_is_never_joined_to_the_next(
    talk: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    Puppet([OSError("reset"), "Respuesta entera."]).take(monkeypatch)
    turn = ask(talk)
    run_turn(turn.pk)
    assert talk.said(turn.pk) == "Respuesta entera."
    broken = turn.attempts.get(number=1)
    assert (broken.state, broken.diagnosis) == (TurnAttempt.State.BROKEN, "cut")
    assert broken.draft.startswith("A medias")
    completed = talk.events("message.completed")
    assert [event["attempt"] for event in completed] == [2]


def test_a_busy_provider_is_tried_later_and_given_up_with_a_sentence(
    talk: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    puppet = Puppet([ModelHTTPError(429, "puppet")]).take(monkeypatch)
    turn = ask(talk)
    run_turn(turn.pk)
    turn.refresh_from_db()
    assert len(puppet.seen) == 2
    assert turn.holder is None
    assert turn.due_at > timezone.now()
    assert due_turns() == []
    for _ in range(2):
        lose_lease(turn)
        run_turn(turn.pk)
    assert "el servicio de lenguaje no contesta" in talk.said(turn.pk)
    assert [row[2] for row in attempts(turn)] == ["http_429"] * 4
    assert talk.turn.reason == "model"


def test_a_refused_key_is_not_tried_again(
    talk: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    puppet = Puppet([ModelHTTPError(401, "puppet")]).take(monkeypatch)
    turn = ask(talk)
    run_turn(turn.pk)
    assert len(puppet.seen) == 1
    assert talk.turn.state == Turn.State.FAILED


def test_what_a_tool_raises_is_never_told_to_the_model(
    talk: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any) -> Any:
        raise RuntimeError("postgres://user:secret@host")

    monkeypatch.setattr(policies, "search", fail)
    puppet = Puppet([SEARCH, "No he podido buscar."]).take(monkeypatch)
    turn = ask(talk)
    run_turn(turn.pk)
    [result] = puppet.results()
    assert "La herramienta falló" in result
    assert "secret" not in result
    assert talk.events("tool.completed")[0]["ok"] is False


def test_drafts_go_out_in_order_and_are_dropped_at_the_end(
    talk: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    pieces: list[dict[str, Any]] = []
    monkeypatch.setattr(wake, "draft", lambda *_, **piece: pieces.append(piece))
    Puppet([SEARCH, "Hay 30 días [returns:section-1] para ello."]).take(monkeypatch)
    turn = ask(talk)
    run_turn(turn.pk)
    shown = ""
    for piece in pieces:
        assert piece["offset"] == len(shown)
        shown += piece["text"]
        assert piece["so_far"] == shown
    assert shown == talk.said(turn.pk) == "Hay 30 días para ello."
    assert {piece["attempt"] for piece in pieces} == {2}


def test_an_invented_source_is_taken_out(
    talk: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    Puppet([SEARCH, "Hay un año [garantia:section-9]."]).take(monkeypatch)
    turn = ask(talk)
    run_turn(turn.pk)
    assert talk.said(turn.pk) == "Hay un año."
    assert talk.events("message.completed")[0]["sources"] == []


def test_reads_of_one_response_run_together(
    ana: Talk, shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    shop.mood("slow", on="lookups", seconds=1)
    reads = [("lookup_get_order", {"order_id": order}) for order in ("4821", "4830")]
    over = [("transfer_to_refund_specialist", {"reason": "suyo"})]
    Puppet([over, reads, "Ya."]).take(monkeypatch)
    ana.type("mira los dos")
    first, second = (float(entry["at"]) for entry in shop.log())
    assert abs(second - first) < 0.9, "one waited for the other"
