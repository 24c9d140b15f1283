"""Every way in which a stream breaks: nothing runs on half a call, one answer comes."""

from collections.abc import Iterator
from typing import Any

import pytest

from acciones.models import Site
from agente.loop.run import run_turn
from agente.models import Language, SurfaceTemplate, ToolCall, Turn, TurnAttempt
from tests.agente.talk import Talk
from tests.agente.waiting import ask, attempts
from tests.agente.wire import chat_completions as wire
from tests.agente.wire.server import Answer, Server, serving

GOOD = wire.text("Hay ", "30 días.")


@pytest.fixture
def server(plain_site: Site, settings: Any) -> Iterator[Server]:
    """Run a model server, and let the site speak through it."""
    with serving(Server([GOOD])) as server:
        settings.MAYA_DEV_ENDPOINTS = [server.url]
        language = Language(
            site=plain_site, provider="openai", base_url=f"{server.url}/v1", name="wire"
        )
        language.key = "sk-secret"
        language.save()
        SurfaceTemplate.objects.create(
            site=plain_site,
            name="nada",
            surface_id="n1",
            description="Nada.",
            components=[{"id": "root", "component": "Divider"}],
            values={},
        )
        for agent in plain_site.agent_set.all():
            agent.tools.append("show_nada")
            agent.save()
        yield server


@pytest.mark.parametrize("name", wire.BROKEN)
def test_nothing_runs_on_half_a_call(
    talk: Talk,
    server: Server,
    name: str,
) -> None:
    server.answers[:] = [wire.BROKEN[name], GOOD]
    turn = ask(talk)
    run_turn(turn.pk)

    assert not ToolCall.objects.exists()
    assert talk.events("tool.started", "surface.updated", "agent.handoff") == []
    assert [row[:2] for row in attempts(turn)] == [(1, "broken"), (2, "accepted")]
    assert talk.said(turn.pk) == "Hay 30 días."
    assert len(talk.events("message.completed")) == 1
    assert len(server.requests) == 2, "our attempts are the only attempts"
    assert talk.turn.state == Turn.State.DONE


def test_the_diagnosis_says_what_was_wrong(talk: Talk, server: Server) -> None:
    told = {
        "length in the middle of a value": "finish_length",
        "a finish, but bad JSON": "bad_json",
        "a required argument is missing": "bad_arguments",
        "a 500": "http_500",
    }
    for name, diagnosis in told.items():
        server.answers[:] = [wire.BROKEN[name], GOOD]
        turn = ask(talk)
        run_turn(turn.pk)
        assert attempts(turn)[0][2] == diagnosis, name


@pytest.mark.parametrize("name", wire.WHOLE_CALLS)
def test_whole_calls_run_once_each(
    talk: Talk,
    server: Server,
    name: str,
) -> None:
    answer, names = wire.WHOLE_CALLS[name]
    server.answers[:] = [answer, GOOD]
    turn = ask(talk)
    run_turn(turn.pk)
    ran = ToolCall.objects.order_by("place")
    assert [call.name for call in ran] == names
    assert all(call.result is not None for call in ran)
    assert talk.said(turn.pk) == "Hay 30 días."
    told = [m for m in server.requests[1]["messages"] if m["role"] == "tool"]
    assert [m["tool_call_id"] for m in told] == [call.call_id for call in ran]
    assert "<datos de=" in told[0]["content"]


def test_a_server_that_never_says_why_it_ended_can_be_declared(
    talk: Talk,
    server: Server,
) -> None:
    Language.objects.update(finish_reason_required=False)
    server.answers[:] = [wire.text("Hola.", finish=None)]
    turn = ask(talk)
    run_turn(turn.pk)
    assert talk.said(turn.pk) == "Hola."
    assert attempts(turn) == [(1, "accepted", "")]


def test_such_a_server_still_cannot_cut_a_call(
    talk: Talk,
    server: Server,
) -> None:
    Language.objects.update(finish_reason_required=False)
    server.answers[:] = [wire.BROKEN["clean end in the middle of a value"], GOOD]
    turn = ask(talk)
    run_turn(turn.pk)
    assert not ToolCall.objects.exists()
    assert talk.said(turn.pk) == "Hay 30 días."


def test_broken_four_times_it_ends_in_a_sentence(
    talk: Talk,
    server: Server,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("agente.loop.run.RETRY_DELAYS", (0.0, 0.0, 0.0))
    server.answers[:] = [Answer([wire.ROLE], "abort")]
    turn = ask(talk)
    run_turn(turn.pk)
    assert "el servicio de lenguaje no contesta" in talk.said(turn.pk)
    assert len(server.requests) == 4
    assert not TurnAttempt.objects.filter(state="accepted").exists()


def test_the_key_goes_in_a_header_and_nowhere_else(
    talk: Talk,
    server: Server,
) -> None:
    run_turn(ask(talk).pk)
    assert "Bearer sk-secret" in server.headers[0]
    assert "sk-secret" not in str(server.requests)
    sealed = Language.objects.get().sealed_key
    assert sealed is not None
    assert b"sk-secret" not in bytes(sealed)


def test_a_model_address_inside_the_house_is_refused(
    talk: Talk,
    server: Server,
    settings: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("agente.loop.run.RETRY_DELAYS", (0.0, 0.0, 0.0))
    settings.MAYA_DEV_ENDPOINTS = []
    run_turn(ask(talk).pk)
    assert server.requests == []
    assert talk.turn.state == Turn.State.FAILED
