"""``POST /api/ag-ui/{site}``: a turn as an AG-UI client reads it."""

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from uuid import uuid4

import httpx
import pytest
from ag_ui.core import Event as AnyEvent
from pydantic import TypeAdapter

from acciones.models import Conversation, Event
from agente.models import Message, Turn
from tests.live import http
from tests.live.servers import Web
from tests.live.talk import Talk

AG_UI = TypeAdapter[Any](AnyEvent)
PATIENCE_SECONDS = 5


def asked(text: str = "¿cómo voy?", **more: Any) -> dict[str, Any]:
    """Return the body of a new run in a new thread."""
    said = {"id": str(uuid4()), "role": "user", "content": text}
    return {
        "threadId": str(uuid4()),
        "runId": str(uuid4()),
        "messages": [said],
        "tools": [],
        "context": [],
        "state": {},
        "forwardedProps": {},
        **more,
    }


def address(web: Web, talk: Talk) -> str:
    """Return where the site's agent speaks AG-UI."""
    return f"{web.url}/api/ag-ui/{talk.site.public_id}"


@contextmanager
def run(
    web: Web, talk: Talk, body: dict[str, Any], headers: dict[str, str] | None = None
) -> Iterator[Iterator[dict[str, Any]]]:
    """Run the agent; every event must be one that AG-UI's own models take."""
    headers = headers or talk.bearer
    with http.stream("POST", address(web, talk), headers=headers, json=body) as answer:
        assert answer.status_code == 200, answer.read()
        assert answer.headers["content-type"].startswith("text/event-stream")
        yield _checked(answer.iter_lines())


def _checked(lines: Iterator[str]) -> Iterator[dict[str, Any]]:
    for line in lines:
        if line.startswith("data: "):
            event: dict[str, Any] = json.loads(line.removeprefix("data: "))
            AG_UI.validate_python(event)
            yield event


def post(web: Web, talk: Talk, body: Any, **headers: str) -> tuple[int, str]:
    """Post what is refused; return the status and stable code."""
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    sent = {"Content-Type": "application/json", **talk.bearer, **headers}
    answer: httpx.Response = http.post(address(web, talk), headers=sent, content=raw)
    assert answer.headers["content-type"] == "application/problem+json"
    return answer.status_code, answer.json()["code"]


def turn_of(body: dict[str, Any]) -> Turn:
    """Return the turn that a run's message started."""
    return Message.objects.select_related("turn").get(client_id=body["runId"]).turn


def work(talk: Talk, turn: Turn) -> None:
    """Do a worker's work on a turn, one call told twice as after a take-over."""
    talk.turn = turn
    call = {"call_id": "c-1", "operation_id": "op-1"}
    talk.tell("agent.handoff", **{"from": "root", "to": "debt", "reason": "mora"})
    talk.tell("run.status", status="using_tool")
    for _ in range(2):
        talk.tell("tool.started", **call, name="panorama", params={"clienteId": "beto"})
    talk.tell("tool.completed", **call, artifact_id=None, ok=True)
    talk.tell("surface.updated", message={"version": "v0.9", "createSurface": {}})
    talk.answer("Detectamos 12 días de mora.")
    talk.end()


def kinds(events: list[dict[str, Any]]) -> list[str]:
    """Return the events' types, of ``CUSTOM`` the names."""
    return [event.get("name", event["type"]) for event in events]


WHOLE = [
    "RUN_STARTED",
    "status",
    "handoff",
    "status",
    "TOOL_CALL_START",
    "TOOL_CALL_ARGS",
    "TOOL_CALL_END",
    "TOOL_CALL_RESULT",
    "a2ui",
    "TEXT_MESSAGE_START",
    "TEXT_MESSAGE_CONTENT",
    "TEXT_MESSAGE_END",
    "RUN_FINISHED",
]


def test_a_turn_is_told_in_ag_uis_words(web: Web, talk: Talk) -> None:
    body = asked()
    with run(web, talk, body) as found:
        first = [next(found), next(found)]
        work(talk, turn_of(body))
        events = first + list(found)
    assert kinds(events) == WHOLE
    place = {name: body[name] for name in ("threadId", "runId")}
    assert events[0] == {"type": "RUN_STARTED", **place, "protocolVersion": "1.0"}
    end = {"type": "RUN_FINISHED", **place, "outcome": {"type": "success"}}
    assert events[-1] == end
    start, given, _, result = events[4:8]
    assert start["toolCallName"] == "panorama"
    assert json.loads(given["delta"]) == {"clienteId": "beto"}
    assert result["toolCallId"] == start["toolCallId"] == "c-1"
    assert json.loads(result["content"]) == {"ok": True}
    opened, content, closed = events[9:12]
    assert content["delta"] == "Detectamos 12 días de mora."
    assert opened["messageId"] == content["messageId"] == closed["messageId"]
    assert opened["metadata"] == {"sources": []}


def test_a_run_asked_for_again_is_told_again_and_happens_once(
    web: Web, talk: Talk
) -> None:
    body = asked()
    with run(web, talk, body) as found:
        next(found)
    turn = turn_of(body)
    work(talk, turn)
    for _ in range(2):
        with run(web, talk, body) as found:
            assert kinds(list(found)) == WHOLE
    assert turn_of(body) == turn
    other = body | {"messages": asked("otra cosa")["messages"]}
    assert post(web, talk, other) == (422, "message_id_reused")


def test_hanging_up_ends_the_reader_and_not_the_turn(web: Web, talk: Talk) -> None:
    body, before = asked(), web.listeners()
    with run(web, talk, body) as found:
        next(found)
        assert web.listeners() == before + 1
    deadline = time.monotonic() + PATIENCE_SECONDS
    while web.listeners() != before:
        assert time.monotonic() < deadline
        time.sleep(0.05)
    assert turn_of(body).state == Turn.State.QUEUED


def test_a_thread_is_one_conversation_whatever_its_name(web: Web, talk: Talk) -> None:
    talk.end()
    found: set[Any] = set()
    for thread in ("mi hilo", "mi hilo", "otro", talk.id):
        body = asked(threadId=thread)
        with run(web, talk, body) as events:
            assert next(events)["threadId"] == thread
        found.add((thread, turn_of(body).conversation_id))
    assert len(found) == len({conversation for _, conversation in found}) == 3
    assert (talk.id, talk.conversation.id) in found


def test_somebody_elses_thread_is_a_new_one_of_ones_own(web: Web, talk: Talk) -> None:
    before = talk.last_position()
    body = asked(threadId=talk.id)
    with run(web, talk, body, talk.others_bearer) as found:
        next(found)
    conversation = turn_of(body).conversation
    assert conversation.visitor_id == talk.other.id
    assert conversation.id != talk.conversation.id
    assert talk.last_position() == before


def test_another_turns_events_are_not_this_runs(web: Web, talk: Talk) -> None:
    talk.happen(1)
    body = asked(threadId=talk.id)
    with run(web, talk, body) as found:
        events = [next(found), next(found)]
        talk.answer("De un turno anterior.")
        talk.end()
        talk.turn = turn_of(body)
        talk.answer("De este.")
        talk.end()
        events += found
    deltas = [event["delta"] for event in events if "delta" in event]
    assert deltas == ["De este."]


@pytest.mark.parametrize(
    ("status", "kind", "more"),
    [
        ("failed", "RUN_ERROR", {"code": "turn_failed"}),
        ("stopped", "RUN_FINISHED", {"outcome": {"type": "cancelled"}}),
    ],
)
def test_a_turn_that_is_not_answered_is_no_success(
    web: Web, talk: Talk, status: str, kind: str, more: dict[str, Any]
) -> None:
    body = asked()
    with run(web, talk, body) as found:
        next(found)
        talk.turn = turn_of(body)
        talk.end(status)
        *_, last = found
    assert last["type"] == kind
    assert last.items() >= more.items()


def test_a_proposal_comes_with_its_card(web: Web, talk: Talk) -> None:
    card = {
        "run_id": str(uuid4()),
        "action": "refund_order",
        "title": "Reembolsar pedido",
        "input": [],
        "target": {"kind": "order", "ref": "4821"},
        "amount": {"minor": 7900, "currency": "EUR", "exponent": 2},
        "evidence": [],
        "digest_short": "a388f562",
        "approval": "owner",
        "expires_at": "2026-05-02T10:15:00+00:00",
    }
    body = asked()
    with run(web, talk, body) as found:
        next(found)
        talk.turn = turn_of(body)
        talk.tell("proposal.created", **card)
        talk.end()
        [proposal] = [event for event in found if event.get("name") == "proposal"]
    assert proposal["value"] == card


def test_a_message_may_come_in_parts_of_text(web: Web, talk: Talk) -> None:
    parts = [{"type": "text", "text": "uno"}, {"type": "text", "text": "dos"}]
    body = asked(messages=[{"id": "1", "role": "user", "content": parts}])
    with run(web, talk, body) as found:
        next(found)
    assert turn_of(body).input == {"text": "uno\ndos"}


PICTURE = {"type": "image", "source": {"type": "url", "value": "https://a.example/b"}}
ANSWER = {"id": "2", "role": "assistant", "content": "Hola."}
RESULT = {"id": "3", "role": "tool", "content": "{}", "toolCallId": "c-1"}


@pytest.mark.parametrize(
    "change",
    [
        {"messages": []},
        {"messages": [ANSWER]},
        {"messages": [*asked()["messages"], RESULT]},
        {"messages": [{"id": "1", "role": "user", "content": ""}]},
        {"messages": [{"id": "1", "role": "user", "content": [PICTURE]}]},
        {"messages": "hola"},
        {"threadId": ""},
        {"threadId": "x" * 129},
        {"threadId": 7},
        {"runId": ""},
        {"runId": "x" * 129},
        {"resume": [{"interruptId": "i", "status": "resolved", "payload": True}]},
    ],
)
def test_what_is_no_message_is_refused_and_leaves_nothing(
    web: Web, talk: Talk, change: dict[str, Any]
) -> None:
    assert post(web, talk, asked() | change) == (400, "bad_input")
    assert Conversation.objects.filter(visitor=talk.visitor).count() == 1
    assert not Event.objects.filter(conversation=talk.conversation).exists()


def test_only_visitors_of_this_site_are_let_in(web: Web, talk: Talk) -> None:
    assert post(web, talk, asked(), Authorization="") == (401, "session_required")
    answer = http.post(f"{web.url}/api/ag-ui/otro", headers=talk.bearer, json=asked())
    assert answer.status_code == 401
    elsewhere = talk.cookie | {"Origin": "https://evil.example", "Authorization": ""}
    assert post(web, talk, asked(), **elsewhere) == (403, "forbidden")
    with run(web, talk, asked(), talk.cookie | {"Origin": web.url}) as found:
        assert next(found)["type"] == "RUN_STARTED"


def test_only_strict_json_by_post_is_known(web: Web, talk: Talk) -> None:
    assert post(web, talk, b"{") == (400, "bad_json")
    assert post(web, talk, b" " * (512 * 1024 + 1)) == (413, "too_large")
    as_text = post(web, talk, asked(), **{"Content-Type": "text/plain"})
    assert as_text == (415, "unsupported_media_type")
    answer = http.get(address(web, talk), headers=talk.bearer)
    assert (answer.status_code, answer.headers["allow"]) == (405, "POST")
