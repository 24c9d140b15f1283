"""Who may follow what, and what everybody else is told: nothing."""

from itertools import islice
from typing import Any

import httpx
import pytest

from acciones.visitors import end_session
from agente.streaming.sse import MOST_BYTES
from tests.live import http
from tests.live.servers import Web
from tests.live.talk import Talk
from tests.live.wires import events

NOBODYS = "00000000-0000-4000-8000-000000000000"


def get(web: Web, path: str, **headers: str) -> httpx.Response:
    """Ask for something that must not turn into a stream."""
    return http.get(f"{web.url}{path}", headers=headers)


def stream(talk: Talk) -> str:
    """Return the path of the conversation's stream."""
    return f"/api/conversations/{talk.id}/events"


def code(answer: httpx.Response) -> tuple[int, str]:
    """Return the status and stable code of a problem document."""
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.headers["cache-control"] == "no-store"
    problem: dict[str, Any] = answer.json()
    assert problem["status"] == answer.status_code
    return answer.status_code, problem["code"]


def test_the_head_is_the_one_that_proxies_need(web: Web, talk: Talk) -> None:
    address = f"{web.url}{stream(talk)}"
    with http.stream("GET", address, headers=talk.bearer) as answer:
        head = answer.headers
        assert head["content-type"] == "text/event-stream; charset=utf-8"
        assert head["cache-control"] == "no-store"
        assert head["x-accel-buffering"] == "no"
        assert next(answer.iter_lines()).startswith("retry: ")


def test_a_turns_stream_is_in_the_seeds_form(web: Web, talk: Talk) -> None:
    call = {"call_id": "c-8", "operation_id": "op-8"}
    talk.tell("tool.completed", **call, artifact_id="a-29", ok=True)
    with events(f"{web.url}/api/runs/{talk.turn_id}/events", talk.bearer) as found:
        event = next(found)
    assert event["id"] == f"{talk.turn_id}:1"
    assert event["event"] == "tool.completed"
    assert '"call_id": "c-8"' in event["data"]
    assert "position" not in event["data"]


def test_without_a_session_there_is_nothing(web: Web, talk: Talk) -> None:
    refused = (401, "session_required")
    assert code(get(web, stream(talk))) == refused
    assert code(get(web, stream(talk), Authorization="Bearer x")) == refused
    assert code(get(web, stream(talk), Authorization="Basic x")) == refused
    assert code(get(web, stream(talk), Cookie="maya_visitor_x=y")) == refused


def test_an_origin_that_is_none_is_another_page(web: Web, talk: Talk) -> None:
    cookie = f"maya_visitor_{talk.visitor.site.public_id}={talk.token}"
    for origin in ("http://[", "//", "null"):
        answer = get(web, stream(talk), Cookie=cookie, Origin=origin)
        assert code(answer) == (403, "forbidden")


def test_an_ended_session_opens_nothing(web: Web, talk: Talk) -> None:
    end_session(talk.visitor)
    answer = get(web, stream(talk), **talk.bearer)
    assert code(answer) == (401, "session_required")


@pytest.mark.parametrize("id", [NOBODYS, "x", "1", "%27%20OR%201=1"])
def test_what_is_no_conversation_is_not_found(web: Web, talk: Talk, id: str) -> None:
    for place in ("conversations", "runs"):
        answer = get(web, f"/api/{place}/{id}/events", **talk.bearer)
        assert code(answer) == (404, "not_found")


def test_a_strangers_cursor_is_not_even_looked_at(web: Web, talk: Talk) -> None:
    answer = get(web, f"{stream(talk)}?after=x", **talk.others_bearer)
    assert code(answer) == (404, "not_found")


def test_a_cookie_counts_on_our_own_pages_alone(web: Web, talk: Talk) -> None:
    elsewhere = "https://evil.example"
    address = f"{web.url}{stream(talk)}"
    for headers in ({"Origin": web.url}, {"Sec-Fetch-Site": "same-origin"}, {}):
        with http.stream("GET", address, headers=talk.cookie | headers) as answer:
            assert answer.status_code == 200
    for headers in ({"Origin": elsewhere}, {"Sec-Fetch-Site": "cross-site"}):
        answer = get(web, stream(talk), **talk.cookie, **headers)
        assert code(answer) == (403, "forbidden")


def test_a_cookie_named_after_another_site_counts_for_nothing(
    web: Web, talk: Talk
) -> None:
    answer = get(web, stream(talk), Cookie=f"maya_visitor_other={talk.token}")
    assert code(answer) == (401, "session_required")


def test_of_two_sites_cookies_the_right_one_is_taken(web: Web, talk: Talk) -> None:
    talk.happen(1)
    both = f"maya_visitor_other=abc; bad cookie; {talk.cookie['Cookie']}"
    with events(f"{web.url}{stream(talk)}", {"Cookie": both}) as found:
        assert next(found)["id"] == f"{talk.id}:1"


def test_a_host_that_is_not_ours_is_refused(web: Web, talk: Talk) -> None:
    answer = get(web, stream(talk), **talk.bearer, Host="evil.example")
    assert code(answer) == (400, "bad_host")


def test_only_get_is_known(web: Web, talk: Talk) -> None:
    answer = http.post(f"{web.url}{stream(talk)}", headers=talk.bearer)
    assert code(answer) == (405, "method_not_allowed")
    assert answer.headers["allow"] == "GET"


@pytest.mark.parametrize(
    "garbage", ["x", "-1", "1.5", "1e3", "٣", ":", "a:b:1", "9" * 30, "1 OR 1=1"]
)
def test_a_garbage_cursor_is_a_clear_400(web: Web, talk: Talk, garbage: str) -> None:
    address = f"{web.url}{stream(talk)}"
    answer = http.get(address, headers=talk.bearer, params={"after": garbage})
    assert code(answer) == (400, "bad_cursor")
    raw = {name.encode(): value.encode() for name, value in talk.bearer.items()}
    answer = http.get(address, headers=raw | {b"Last-Event-ID": garbage.encode()})
    assert code(answer) == (400, "bad_cursor")


def test_another_scopes_cursor_is_refused(web: Web, talk: Talk) -> None:
    for cursor in (f"{talk.turn_id}:1", f"{NOBODYS}:1"):
        answer = get(web, stream(talk), **talk.bearer, **{"Last-Event-ID": cursor})
        assert code(answer) == (400, "bad_cursor")


def test_the_header_of_a_reconnection_wins_over_the_address(
    web: Web, talk: Talk
) -> None:
    talk.happen(4)
    headers = talk.bearer | {"Last-Event-ID": f"{talk.id}:3"}
    with events(f"{web.url}{stream(talk)}?after=1", headers) as found:
        assert next(found)["id"] == f"{talk.id}:4"


def test_a_cursor_from_the_future_gets_a_snapshot_first(web: Web, talk: Talk) -> None:
    talk.answer("Lista.")
    for address, id in (
        (f"{web.url}{stream(talk)}?after=99", talk.id),
        (f"{web.url}/api/runs/{talk.turn_id}/events?after=99", talk.turn_id),
    ):
        position = talk.last_position()
        with events(address, talk.bearer) as found:
            first = next(found)
            assert (first["event"], first["id"]) == ("snapshot", f"{id}:{position}")
            assert '"text":"Lista."' in first["data"]
            talk.happen(1)
            assert next(found)["id"] == f"{id}:{position + 1}"


def test_an_answer_ends_cleanly_and_goes_on_where_it_ended(
    web: Web, talk: Talk
) -> None:
    for _ in range(20):
        talk.answer("x" * 100_000)
    address = f"{web.url}{stream(talk)}"
    with events(address, talk.bearer) as found:
        answer = list(found)
    assert MOST_BYTES <= sum(len(event["data"]) for event in answer) < 2 * MOST_BYTES
    with events(address, talk.bearer | {"Last-Event-ID": answer[-1]["id"]}) as found:
        answer += islice(found, 20 - len(answer))
    assert [event["id"] for event in answer] == [f"{talk.id}:{n}" for n in range(1, 21)]
