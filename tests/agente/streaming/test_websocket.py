"""The conversation's WebSocket: who may open it, what it carries, what it bounds."""

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from acciones.visitors import end_session
from agente.streaming.flight import MOST_BYTES, Flight
from tests.live.servers import Web
from tests.live.talk import Talk
from tests.live.wires import hear, open_socket

NOBODYS = "00000000-0000-4000-8000-000000000000"


@contextmanager
def silent(web: Web, talk: Talk, **headers: str) -> Iterator[ClientConnection]:
    """Open a WebSocket and say nothing yet."""
    address = f"{web.socket_url}/ws/conversations/{talk.id}"
    with connect(address, additional_headers=headers) as wire:
        yield wire


def refusal(wire: ClientConnection) -> tuple[str, int]:
    """Return the code of the error and of the close that a refused client gets."""
    error = hear(wire)
    assert error["type"] == "error", error
    assert error["detail"]
    with pytest.raises(ConnectionClosed) as closed:
        wire.recv(timeout=10)
    assert closed.value.rcvd
    return error["code"], closed.value.rcvd.code


def say(wire: ClientConnection, **message: Any) -> None:
    """Send one message."""
    wire.send(json.dumps(message))


def until_silence(wire: ClientConnection) -> Iterator[dict[str, Any]]:
    """Yield what comes until nothing more does."""
    while True:
        try:
            yield json.loads(wire.recv(timeout=0.5))
        except TimeoutError:
            return


def test_it_says_where_the_conversation_is_and_sends_full_envelopes(
    web: Web, talk: Talk
) -> None:
    talk.happen(2)
    with open_socket(web, talk, after=1, token=talk.token) as wire:
        assert hear(wire) == {"type": "opened", "position": 2}
        envelope = hear(wire)
        assert list(envelope) == [
            "id",
            "run_id",
            "seq",
            "position",
            "type",
            "payload",
            "created",
        ]
        assert envelope["id"] == f"{talk.turn_id}:2"
        say(wire, type="ack", position=2)
        talk.happen(1)
        assert hear(wire)["position"] == 3


def test_the_cookie_serves_our_own_page_alone(web: Web, talk: Talk) -> None:
    ours = talk.cookie | {"Origin": web.url}
    with open_socket(web, talk, ours, after=0) as wire:
        assert hear(wire)["type"] == "opened"
    for origin in ({"Origin": "https://tienda.example"}, {}):
        with open_socket(web, talk, talk.cookie | origin, after=0) as wire:
            assert refusal(wire) == ("forbidden", 4403)


def test_a_token_serves_the_pages_that_the_site_named(web: Web, talk: Talk) -> None:
    for origin in (web.url, "https://tienda.example"):
        headers = {"Origin": origin}
        with open_socket(web, talk, headers, token=talk.token) as wire:
            assert hear(wire)["type"] == "opened"
    headers = {"Origin": "https://evil.example"}
    with open_socket(web, talk, headers, token=talk.token) as wire:
        assert refusal(wire) == ("forbidden", 4403)


def test_strangers_are_told_what_they_would_be_told_of_nothing(
    web: Web, talk: Talk
) -> None:
    for id in (talk.id, NOBODYS, "x"):
        address = f"{web.socket_url}/ws/conversations/{id}"
        with connect(address) as wire:
            say(wire, type="open", after=0, token=talk.other_token)
            assert refusal(wire) == ("not_found", 4404)


def test_without_a_session_there_is_nothing(web: Web, talk: Talk) -> None:
    with open_socket(web, talk, after=0) as wire:
        assert refusal(wire) == ("session_required", 4401)
    end_session(talk.visitor)
    with open_socket(web, talk, after=0, token=talk.token) as wire:
        assert refusal(wire) == ("session_required", 4401)


@pytest.mark.parametrize("after", [-1, 1.5, "1", None, True, 10**30])
def test_a_garbage_cursor_is_refused(web: Web, talk: Talk, after: Any) -> None:
    with open_socket(web, talk, after=after, token=talk.token) as wire:
        assert refusal(wire) == ("bad_cursor", 4400)


def test_a_cursor_from_the_future_gets_a_snapshot_first(web: Web, talk: Talk) -> None:
    talk.happen(2)
    with open_socket(web, talk, after=9, token=talk.token) as wire:
        assert hear(wire)["type"] == "opened"
        snapshot = hear(wire)
        assert (snapshot["type"], snapshot["position"]) == ("snapshot", 2)
        assert snapshot["payload"]["cursor"] == 2
        talk.happen(1)
        assert hear(wire)["position"] == 3


@pytest.mark.parametrize(
    "text", ["x", "[]", '{"type":"ack","position":1}', "{" + " " * 5_000 + "}", b"{}"]
)
def test_the_first_word_must_be_an_opening(
    web: Web, talk: Talk, text: str | bytes
) -> None:
    with silent(web, talk) as wire:
        wire.send(text)
        assert refusal(wire) == ("bad_message", 4400)


@pytest.mark.parametrize(
    "text", ["x", '{"type":"open"}', '{"type":"ack"}', '{"type":"say","text":"a"}']
)
def test_after_it_come_acknowledgements_alone(web: Web, talk: Talk, text: str) -> None:
    with open_socket(web, talk, after=0, token=talk.token) as wire:
        hear(wire)
        wire.send(text)
        assert refusal(wire) == ("bad_message", 4400)


def test_what_is_not_acknowledged_is_bounded(web: Web, talk: Talk) -> None:
    for _ in range(12):
        talk.answer("x" * 100_000)
    with open_socket(web, talk, after=0, token=talk.token) as wire:
        assert hear(wire)["position"] == 12
        got = list(until_silence(wire))
        assert len(got) * 100_000 < MOST_BYTES + 400_000
        while got[-1]["position"] < 12:
            say(wire, type="ack", position=got[-1]["position"])
            got.append(hear(wire))
        assert [each["position"] for each in got] == list(range(1, 13))


def test_an_address_that_leads_nowhere_is_refused(web: Web, talk: Talk) -> None:
    for path in ("/", "/ws/", "/ws/conversations/"):
        with (
            pytest.raises(InvalidStatus) as refused,
            connect(f"{web.socket_url}{path}"),
        ):
            pass
        assert refused.value.response.status_code == 403


def test_hanging_up_leaves_nothing_behind(web: Web, talk: Talk) -> None:
    before = web.info.num_fds()
    for _ in range(20):
        with open_socket(web, talk, after=0, token=talk.token) as wire:
            hear(wire)
    deadline = time.monotonic() + 5
    while web.info.num_fds() > before + 5:
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_a_flight_has_room_again_when_enough_arrived() -> None:
    flight = Flight()
    flight.add(MOST_BYTES, 1)
    assert not flight.is_full
    flight.add(10, None)
    flight.add(10, 2)
    assert flight.is_full
    flight.acknowledge(1)
    assert not flight.is_full
    flight.add(MOST_BYTES, 3)
    assert flight.is_full
    flight.acknowledge(99)
    assert not flight.is_full
