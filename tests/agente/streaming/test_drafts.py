"""Provisional text: repeatable, replaced whole by a new attempt, never a fact."""

import json
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

import pytest

from agente.streaming.drafts import Delta, Drafts, Preparing, Shown
from maya.lib import wake
from tests.live.servers import Valkey, Web
from tests.live.talk import Talk
from tests.live.wires import events, hear, lines, open_socket

Frames = Iterator[dict[str, Any]]
Follow = Callable[[Web, Talk], AbstractContextManager[Frames]]


def write(talk: Talk, text: str, *, so_far: str = "", attempt: int = 1) -> None:
    """Publish a piece of the answer that is being written."""
    wake.draft(
        talk.id,
        talk.turn_id,
        attempt=attempt,
        offset=len(so_far),
        text=text,
        so_far=so_far + text,
    )


@contextmanager
def over_sse(web: Web, talk: Talk) -> Iterator[Frames]:
    """The conversation's SSE: provisional events have no id."""
    with events(f"{web.url}/api/conversations/{talk.id}/events", talk.bearer) as found:

        def frames() -> Frames:
            for event in found:
                frame = json.loads(event["data"])
                assert ("id" in event) == ("position" in frame)
                assert event["event"] == frame["type"]
                yield frame

        yield frames()


@contextmanager
def over_socket(web: Web, talk: Talk) -> Iterator[Frames]:
    """A WebSocket: provisional messages have no position."""
    with open_socket(web, talk, after=0, token=talk.token) as wire:
        assert hear(wire)["type"] == "opened"
        yield (hear(wire) for _ in iter(int, 1))


@contextmanager
def over_jsonl(web: Web, talk: Talk) -> Iterator[Frames]:
    """The agent's lines, in the words of the other two."""
    body = {"sitio": talk.site.public_id, "conversacion": talk.id, "despues": 0}
    with lines(web, talk.bearer, body) as found:
        yield (_in_english(line) for line in found)


def _in_english(line: dict[str, Any]) -> dict[str, Any]:
    if line["tipo"] != "delta":
        return line | {"type": {"razon": "message.completed"}.get(line["tipo"], "?")}
    return {
        "type": "delta",
        "run_id": line["turno"],
        "attempt": line["intento"],
        "offset": line["desde"],
        "text": line["texto"],
    }


WIRES: list[Follow] = [over_sse, over_socket, over_jsonl]


def delta(talk: Talk, attempt: int, offset: int, text: str) -> dict[str, Any]:
    """Return a piece as every wire tells it."""
    return {
        "type": "delta",
        "run_id": talk.turn_id,
        "attempt": attempt,
        "offset": offset,
        "text": text,
    }


@pytest.mark.parametrize("follow", WIRES)
def test_who_joins_in_the_middle_gets_the_draft_so_far(
    web: Web, talk: Talk, follow: Follow
) -> None:
    talk.happen(1)
    write(talk, "Tu pedido 😀")
    for _ in range(2):
        with follow(web, talk) as frames:
            assert next(frames)["position"] == 1
            assert next(frames) == delta(talk, 1, 0, "Tu pedido 😀")
    with follow(web, talk) as frames:
        assert [next(frames)["type"] for _ in range(2)][1] == "delta"
        write(talk, " va en camino.", so_far="Tu pedido 😀")
        assert next(frames) == delta(talk, 1, 11, " va en camino.")
        write(talk, "No sale", attempt=2)
        assert next(frames) == delta(talk, 2, 0, "No sale")
        talk.answer("No sale aún.", attempt=2)
        assert next(frames)["type"] == "message.completed"
    with follow(web, talk) as frames:
        assert next(frames)["position"] == 1
        assert next(frames)["position"] == 2
        talk.happen(1)
        assert next(frames)["position"] == 3


def test_a_call_being_written_is_told_until_it_is_stored(web: Web, talk: Talk) -> None:
    for follow in (over_sse, over_socket):
        talk.happen(1)
        with follow(web, talk) as frames:
            while next(frames)["position"] < talk.last_position():
                pass
            wake.preparing(talk.id, talk.turn_id, attempt=1, name="search_policy")
            told = next(frames)
            assert told == {
                "type": "preparing",
                "run_id": talk.turn_id,
                "attempt": 1,
                "name": "search_policy",
            }


def test_losing_redis_loses_a_draft_and_never_a_fact(
    web: Web, talk: Talk, valkey: Valkey
) -> None:
    write(talk, "Tu pedido")
    valkey.stop()
    talk.answer("Tu pedido va.")
    for follow in WIRES:
        with follow(web, talk) as frames:
            assert next(frames)["type"] == "message.completed"


def piece(offset: int, text: str, attempt: int = 1) -> dict[str, Any]:
    """Return a published piece, as the hub takes it."""
    return {"run_id": "t", "attempt": attempt, "offset": offset, "text": text}


def test_a_piece_beyond_the_end_says_that_something_is_missing() -> None:
    drafts = Drafts()
    assert drafts.add(piece(0, "ab"))
    assert not drafts.add(piece(5, "f"))
    drafts.restore("t", 1, "abcdef")
    assert drafts.by_turn["t"].text == "abcdef"


def test_pieces_that_repeat_change_nothing() -> None:
    drafts, shown = Drafts(), Shown()
    drafts.add(piece(0, "abc"))
    assert shown.news(drafts) == [Delta("t", 1, 0, "abc")]
    drafts.add(piece(1, "bc"))
    assert shown.news(drafts) == []
    drafts.add(piece(1, "bcd"))
    assert shown.news(drafts) == [Delta("t", 1, 3, "d")]


def test_an_older_attempt_says_nothing_any_more() -> None:
    drafts = Drafts()
    drafts.add(piece(0, "new", attempt=2))
    drafts.add(piece(0, "the old one"))
    drafts.restore("t", 1, "the old one")
    assert drafts.by_turn["t"].text == "new"


def test_what_comes_after_its_answer_is_dropped() -> None:
    drafts = Drafts()
    drafts.add(piece(0, "a"))
    drafts.settle("t", 1)
    drafts.add(piece(1, "b"))
    drafts.restore("t", 1, "ab")
    assert drafts.by_turn == {}


def test_a_slow_reader_gets_all_its_pieces_as_one() -> None:
    drafts, shown = Drafts(), Shown()
    for offset in range(100):
        drafts.add(piece(offset, "x"))
    assert shown.news(drafts) == [Delta("t", 1, 0, "x" * 100)]


def test_a_stored_call_is_not_being_prepared() -> None:
    drafts, shown = Drafts(), Shown()
    drafts.add({"run_id": "t", "attempt": 1, "preparing": "get_order"})
    assert shown.news(drafts) == [Preparing("t", 1, "get_order")]
    drafts.call_stored("t")
    assert shown.news(drafts) == []
