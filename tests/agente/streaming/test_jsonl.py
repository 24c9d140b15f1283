"""``POST /api/agente``: the seed's lines, whoever asks and however often."""

import json
import time
from itertools import islice
from typing import Any
from uuid import uuid4

import httpx
import pytest
import redis

from acciones.models import Event
from agente.models import Turn
from tests.live import http
from tests.live.servers import Valkey, Web
from tests.live.talk import Talk
from tests.live.wires import lines

PLACE = {"id", "run_id", "seq", "position", "conversacion"}
FIRST_LINE_SECONDS = 0.1
SEED = [
    {"tipo": "estado", "valor": "pensando"},
    {"tipo": "tool", "nombre": "panorama_inicial", "params": {"clienteId": "beto"}},
    {"tipo": "a2ui", "payload": {"version": "v0.9", "createSurface": {"id": "s1"}}},
    {"tipo": "razon", "texto": "Detectamos 12 días de mora."},
    {"tipo": "estado", "valor": "listo"},
    {"tipo": "fin"},
]


def message(talk: Talk, text: str = "¿cómo voy?", **more: Any) -> dict[str, Any]:
    """Return a message's body, in the conversation."""
    return {
        "sitio": talk.site.public_id,
        "conversacion": talk.id,
        "mensajeId": str(uuid4()),
        "mensaje": text,
        **more,
    }


def post(web: Web, headers: dict[str, str], body: Any) -> httpx.Response:
    """Post what gets an answer at once."""
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    as_json = {"Content-Type": "application/json"}
    return http.post(f"{web.url}/api/agente", headers=as_json | headers, content=raw)


def code(answer: httpx.Response) -> tuple[int, str]:
    """Return the status and stable code of a problem document."""
    assert answer.headers["content-type"] == "application/problem+json"
    return answer.status_code, answer.json()["code"]


def answered(talk: Talk, turn_id: str) -> None:
    """Do a worker's work on a turn: the seed's steps."""
    talk.turn = Turn.objects.get(pk=turn_id)
    talk.tell(
        "tool.started",
        call_id="c-1",
        operation_id="op-1",
        name="panorama_inicial",
        params={"clienteId": "beto"},
    )
    talk.tell(
        "tool.completed", call_id="c-1", operation_id="op-1", artifact_id=None, ok=True
    )
    surface = {"version": "v0.9", "createSurface": {"id": "s1"}}
    talk.tell("surface.updated", message=surface)
    talk.answer("Detectamos 12 días de mora.")
    talk.end()


def told(line: dict[str, Any]) -> dict[str, Any]:
    """Return a line as the seed has it, without its place in the log."""
    return {key: value for key, value in line.items() if key not in PLACE}


def test_a_turns_lines_are_the_seeds(web: Web, talk: Talk) -> None:
    talk.end()
    with lines(web, talk.bearer, message(talk)) as found:
        first = next(found)
        answered(talk, first["run_id"])
        got = [first, *found]
    assert [told(line) for line in got] == SEED
    assert all(line.keys() >= PLACE for line in got[:-1])
    assert list(got[1])[:3] == ["tipo", "nombre", "params"]
    assert {line["conversacion"] for line in got[:-1]} == {talk.id}
    positions = [line["position"] for line in got[:-1]]
    assert positions == sorted(set(positions))


def test_the_first_line_comes_within_a_tenth_of_a_second(web: Web, talk: Talk) -> None:
    talk.end()
    took: list[float] = []
    for _ in range(5):
        began = time.monotonic()
        with lines(web, talk.bearer, message(talk)) as found:
            assert told(next(found)) == SEED[0]
            took.append(time.monotonic() - began)
    # The best of a few: other work on this machine is not what is measured
    assert min(took) < FIRST_LINE_SECONDS


def test_a_first_message_begins_a_conversation(web: Web, talk: Talk) -> None:
    body = message(talk)
    del body["conversacion"]
    with lines(web, talk.others_bearer, body) as found:
        first = next(found)
    assert first["conversacion"] != talk.id
    begun = Event.objects.filter(conversation_id=first["conversacion"])
    assert [event.type for event in begun] == ["message.received", "run.status"]


def test_a_repeated_message_continues_the_same_turn(web: Web, talk: Talk) -> None:
    talk.end()
    body = message(talk)
    with lines(web, talk.bearer, body) as found:
        turn = next(found)["run_id"]
    answered(talk, turn)
    for _ in range(2):
        with lines(web, talk.bearer, body) as found:
            got = list(found)
        assert [told(line) for line in got] == SEED
        assert {line["run_id"] for line in got[:-1]} == {turn}
    answer = post(web, talk.bearer, body | {"mensaje": "otra cosa"})
    assert code(answer) == (422, "message_id_reused")


def test_hanging_up_ends_the_reader_and_not_the_turn(web: Web, talk: Talk) -> None:
    talk.end()
    with lines(web, talk.bearer, message(talk)) as found:
        first = next(found)
    answered(talk, first["run_id"])
    body = {"sitio": talk.site.public_id, "conversacion": talk.id}
    with lines(web, talk.bearer, body | {"despues": first["position"]}) as found:
        assert [told(line) for line in found] == SEED[1:]


def test_resuming_where_nothing_is_open_ends_at_once(web: Web, talk: Talk) -> None:
    talk.end()
    last = talk.last_position()
    body = {"sitio": talk.site.public_id, "conversacion": talk.id, "despues": last}
    with lines(web, talk.bearer, body) as found:
        assert list(found) == [{"tipo": "fin"}]


def test_resuming_from_the_future_gets_a_snapshot(web: Web, talk: Talk) -> None:
    talk.end()
    body = {"sitio": talk.site.public_id, "conversacion": talk.id, "despues": 99}
    with lines(web, talk.bearer, body) as found:
        snapshot, end = found
    assert (snapshot["tipo"], snapshot["position"]) == ("snapshot", 1)
    assert snapshot["payload"]["turns"][talk.turn_id]["status"] == "done"
    assert end == {"tipo": "fin"}


def test_resuming_from_the_future_still_waits_for_an_open_turn(
    web: Web, talk: Talk
) -> None:
    talk.happen(1)
    body = {"sitio": talk.site.public_id, "conversacion": talk.id, "despues": 99}
    with lines(web, talk.bearer, body) as found:
        assert next(found)["tipo"] == "snapshot"
        talk.end()
        assert [told(line) for line in found] == SEED[-2:]


def test_a_failed_turn_says_so_and_ends(web: Web, talk: Talk) -> None:
    body = {"sitio": talk.site.public_id, "conversacion": talk.id, "despues": 0}
    with lines(web, talk.bearer, body) as found:
        talk.end("failed")
        got = [told(line) for line in found]
    assert got == [{"tipo": "estado", "valor": "fallido"}, {"tipo": "fin"}]


def test_an_answer_is_bounded_and_says_that_there_is_more(web: Web, talk: Talk) -> None:
    for _ in range(16):
        talk.answer("x" * 100_000)
    body = {"sitio": talk.site.public_id, "conversacion": talk.id}
    after, seen = 0, 0
    with lines(web, talk.bearer, body | {"despues": after}) as found:
        *facts, error, end = found
    assert (error["tipo"], error["code"]) == ("error", "continues")
    assert end == {"tipo": "fin"}
    seen, after = len(facts), facts[-1]["position"]
    assert 10 <= seen < 16
    with lines(web, talk.bearer, body | {"despues": after}) as found:
        rest = [line["position"] for line in islice(found, 16 - seen)]
    assert rest == list(range(after + 1, 17))


def test_the_worker_is_woken_after_commit(web: Web, talk: Talk, valkey: Valkey) -> None:
    queue = redis.Redis.from_url(valkey.url, decode_responses=True)
    queue.delete("agente")
    talk.end()
    with lines(web, talk.bearer, message(talk)) as found:
        turn = next(found)["run_id"]
    [raw] = queue.lrange("agente", 0, -1)
    sent = json.loads(raw)
    assert sent["headers"]["task"] == "agente.run_turn"
    assert turn in sent["headers"]["argsrepr"]


@pytest.mark.parametrize(
    ("change", "status", "problem"),
    [
        ({"mensaje": ""}, 400, "bad_input"),
        ({"mensaje": "x" * 8_001}, 400, "bad_input"),
        ({"mensaje": 7}, 400, "bad_input"),
        ({"mensajeId": ""}, 400, "bad_input"),
        ({"mensajeId": None}, 400, "bad_input"),
        ({"conversacion": "x"}, 400, "bad_input"),
        ({"conversacion": None}, 400, "bad_input"),
        ({"conversacion": str(uuid4())}, 404, "not_found"),
        ({"despues": 1}, 400, "bad_input"),
        ({"otro": 1}, 400, "bad_input"),
        ({"sitio": 1}, 400, "bad_input"),
        ({"sitio": "otro"}, 401, "session_required"),
    ],
)
def test_a_message_that_is_not_one_is_refused(
    web: Web, talk: Talk, change: dict[str, Any], status: int, problem: str
) -> None:
    answer = post(web, talk.bearer, message(talk) | change)
    assert code(answer) == (status, problem)


@pytest.mark.parametrize(
    ("raw", "status", "problem"),
    [
        (b"", 400, "bad_json"),
        (b"{", 400, "bad_json"),
        (b"[]", 400, "bad_input"),
        (b"{}", 400, "bad_input"),
        (b'{"sitio":"a","sitio":"b"}', 400, "bad_json"),
        (b'{"despues":NaN}', 400, "bad_json"),
        (b'{"mensaje":"\xff"}', 400, "bad_json"),
        (b"[" * 60_000, 400, "bad_json"),
        (b" " * (64 * 1024 + 1), 413, "too_large"),
    ],
)
def test_a_body_that_is_not_strict_json_is_refused(
    web: Web, talk: Talk, raw: bytes, status: int, problem: str
) -> None:
    assert code(post(web, talk.bearer, raw)) == (status, problem)


@pytest.mark.parametrize("after", [-1, 1.5, "1", True, None, 10**30])
def test_a_garbage_position_is_a_clear_400(web: Web, talk: Talk, after: Any) -> None:
    body = {"sitio": talk.site.public_id, "conversacion": talk.id, "despues": after}
    assert code(post(web, talk.bearer, body)) == (400, "bad_cursor")


def test_somebody_elses_conversation_does_not_exist(web: Web, talk: Talk) -> None:
    nobodys = str(uuid4())
    for more in ({}, {"action": {"name": "x"}}, {"despues": 0}):
        bodies = [message(talk, conversacion=id) for id in (talk.id, nobodys)]
        if more:
            bodies = [
                {"sitio": body["sitio"], "conversacion": body["conversacion"], **more}
                for body in bodies
            ]
        theirs, none = (post(web, talk.others_bearer, body) for body in bodies)
        assert code(theirs) == code(none) == (404, "not_found")
        assert theirs.content == none.content
    assert talk.last_position() == 0


def test_a_cookie_needs_our_own_page_behind_it(web: Web, talk: Talk) -> None:
    talk.end()
    body = message(talk)
    assert code(post(web, talk.cookie, body)) == (403, "forbidden")
    elsewhere = talk.cookie | {"Origin": "https://evil.example"}
    assert code(post(web, elsewhere, body)) == (403, "forbidden")
    with lines(web, talk.cookie | {"Origin": web.url}, body) as found:
        assert told(next(found)) == SEED[0]


def test_only_json_by_post_is_known(web: Web, talk: Talk) -> None:
    answer = http.get(f"{web.url}/api/agente", headers=talk.bearer)
    assert code(answer) == (405, "method_not_allowed")
    as_form = talk.bearer | {"Content-Type": "text/plain"}
    answer = post(web, as_form, message(talk))
    assert code(answer) == (415, "unsupported_media_type")


def test_a_click_starts_a_turn_and_repeated_gets_the_same_lines(
    web: Web, talk: Talk
) -> None:
    talk.end()
    action = {
        "name": "elegir_plazo",
        "surfaceId": "s1",
        "sourceComponentId": "c1",
        "context": {"plazoMeses": 18},
        "idempotencyKey": "k-1",
    }
    body = {"sitio": talk.site.public_id, "conversacion": talk.id, "action": action}
    answers = [list(post(web, talk.bearer, body).iter_lines()) for _ in range(2)]
    assert answers[0] == answers[1]
    assert [told(json.loads(line)) for line in answers[0]] == SEED[-2:]
    other = action | {"context": {"plazoMeses": 12}}
    answer = post(web, talk.bearer, body | {"action": other})
    assert code(answer) == (422, "idempotency_key_reused")
