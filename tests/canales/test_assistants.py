"""``/mcp/owner``: what an owner's assistant sees, and who sees nothing."""

import asyncio
from datetime import timedelta
from typing import Any
from uuid import uuid4

import httpx2
import pytest
from django.db.models.functions import Now
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp_types import CallToolResult, Tool

from acciones.api.owner.token import issue
from acciones.models import ApiToken, AuditEntry, Member, Run
from acciones.visitors import open_session
from canales.assistants import caller
from tests.acciones import cast as people
from tests.acciones.cast import Cast
from tests.live.application import maya

BASE = "http://127.0.0.1:8700"
ADDRESS = f"{BASE}/mcp/owner"
PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
AS_MCP = {"Accept": "application/json, text/event-stream"}

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def house(db: None, settings: Any) -> Cast:
    settings.ALLOWED_HOSTS = ["127.0.0.1", ".maya.example"]
    settings.MAYA_BASE_URL = BASE
    return people.assemble("https://shop.example")


def key(member: Member, *scopes: str, **more: Any) -> str:
    return issue(member, name="Asistente", scopes=scopes or ["runs:read"], **more)[1]


def http(token: str = "", **headers: str) -> httpx2.AsyncClient:
    bearer = {"Authorization": f"Bearer {token}"} if token else {}
    return httpx2.AsyncClient(
        transport=httpx2.ASGITransport(app=maya),
        headers=AS_MCP | bearer | headers,
    )


def post(token: str = "", address: str = ADDRESS, **headers: str) -> httpx2.Response:
    async def go() -> httpx2.Response:
        async with http(token, **headers) as client:
            return await client.post(address, json=PING)

    return asyncio.run(go())


def tools(token: str) -> list[Tool]:
    async def go() -> list[Tool]:
        async with Client(
            streamable_http_client(ADDRESS, http_client=http(token))
        ) as c:
            return (await c.list_tools()).tools

    return asyncio.run(go())


def call(token: str, tool: str, **arguments: Any) -> CallToolResult:
    async def go() -> CallToolResult:
        async with Client(
            streamable_http_client(ADDRESS, http_client=http(token))
        ) as c:
            return await c.call_tool(tool, arguments)

    return asyncio.run(go())


def shown(token: str, tool: str, **arguments: Any) -> dict[str, Any]:
    result = call(token, tool, **arguments)
    assert not result.is_error, result.content
    found: dict[str, Any] = result.structured_content
    return found


def ids(page: dict[str, Any]) -> list[str]:
    return [run["run_id"] for run in page["runs"]]


def test_every_tool_reads_and_says_so(house: Cast) -> None:
    found = {tool.name: tool.annotations for tool in tools(key(house.owner))}
    assert found.keys() == {"list_runs", "get_run", "list_waiting"}
    for hints in found.values():
        assert hints is not None
        assert (hints.read_only_hint, hints.destructive_hint) == (True, False)


def test_runs_are_shown_as_the_owner_sees_them(house: Cast) -> None:
    offered, waiting = house.offer(), house.confirmed(order="4822")
    token = key(house.owner)
    assert ids(shown(token, "list_runs")) == [str(waiting.pk), str(offered.pk)]
    assert ids(shown(token, "list_waiting")) == [str(waiting.pk)]
    assert ids(shown(token, "list_runs", target="order:4821")) == [str(offered.pk)]
    run = shown(token, "get_run", run_id=str(waiting.pk))
    assert (run["state"], run["digest"]) == ("awaiting_owner", waiting.digest)
    assert run["amount"] == {"minor": 7900, "currency": "EUR", "exponent": 2}
    assert run["customer"]["id"] == "ana"
    assert run["tries"] == []
    assert "confirmation" not in run


def test_pages_follow_each_other(house: Cast) -> None:
    made = [str(house.offer(order=f"48{n}").pk) for n in range(3)]
    token = key(house.owner)
    first = shown(token, "list_runs", limit=2)
    rest = shown(token, "list_runs", limit=2, cursor=first["next"])
    assert ids(first) + ids(rest) == made[::-1]
    assert rest["next"] is None


def test_another_sites_runs_never_existed(house: Cast) -> None:
    theirs = house.confirmed()
    elsewhere = people.assemble("https://other.example", name="otra")
    token = key(elsewhere.owner)
    assert ids(shown(token, "list_runs")) == ids(shown(token, "list_waiting")) == []
    not_theirs = call(token, "get_run", run_id=str(theirs.pk))
    not_there = call(token, "get_run", run_id=str(uuid4()))
    assert not_theirs.is_error
    assert not_theirs.content == not_there.content


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("list_runs", {"state": "nada"}),
        ("list_runs", {"cursor": "x"}),
        ("list_runs", {"limit": 101}),
        ("list_runs", {"limit": 0}),
        ("list_runs", {"customer": "a\x00"}),
        ("get_run", {"run_id": "x"}),
        ("approve", {}),
    ],
)
def test_what_is_no_question_is_told(
    house: Cast, tool: str, arguments: dict[str, Any]
) -> None:
    house.confirmed()
    assert call(key(house.owner), tool, **arguments).is_error
    assert Run.objects.get().state == "awaiting_owner"


def test_what_was_shown_is_in_the_audit(house: Cast) -> None:
    run = house.confirmed()
    token = key(house.owner)
    shown(token, "get_run", run_id=str(run.pk))
    shown(token, "list_runs")
    single, page = AuditEntry.objects.filter(surface="mcp").order_by("pk")
    assert (single.verb, single.subject_id) == ("show", str(run.pk))
    assert (page.verb, page.after) == ("list", {"runs": [str(run.pk)]})
    assert single.who == house.owner.user.get_username()
    assert single.address == "127.0.0.1"
    assert token not in str([single.note, page.note])


def test_nothing_without_a_members_token(house: Cast) -> None:
    visitor = open_session(house.site)[1]
    for token in ("", "x", "maya_", "maya_" + "x" * 43, visitor, people.SECRET):
        answer = post(token)
        assert (answer.status_code, answer.json()["code"]) == (401, "token_required")
        assert answer.headers["www-authenticate"] == 'Bearer realm="maya"'
    in_address = post(address=f"{ADDRESS}?token={key(house.owner)}")
    assert in_address.status_code == 401
    assert post(key(house.owner)).status_code == 200


def test_a_token_ends_between_two_requests(house: Cast) -> None:
    tokens = [key(house.owner) for _ in range(2)]
    tokens.append(key(house.owner, lives=timedelta(minutes=5)))
    assert [post(token).status_code for token in tokens] == [200, 200, 200]
    rows = list(ApiToken.objects.order_by("pk"))
    ApiToken.objects.filter(pk=rows[0].pk).update(revoked_at=Now())
    ApiToken.objects.filter(pk=rows[2].pk).update(expires_at=Now())
    assert [post(token).status_code for token in tokens] == [401, 200, 401]
    house.owner.delete()
    assert post(tokens[1]).status_code == 401


def test_a_token_for_something_else_is_refused(house: Cast) -> None:
    answer = post(key(house.owner, "actions:read", "runs:decide"))
    assert (answer.status_code, answer.json()["code"]) == (403, "scope_missing")


def test_a_noisy_assistant_is_slowed_down(
    house: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(caller, "READS_PER_MINUTE", 2)
    token = key(house.owner)
    # Five, so that three fall into one minute wherever a minute begins
    answers = [post(token).status_code for _ in range(5)]
    assert answers[:2] == [200, 200]
    assert set(answers[2:]) <= {200, 429}
    assert 429 in answers


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"Host": "evil.example"}, 421),
        ({"Host": "evil.example:8700"}, 421),
        ({"Host": "127.0.0.1.evil.example"}, 421),
        ({"Host": "site.maya.example"}, 200),
        ({"Host": "127.0.0.1:9"}, 200),
        ({"Origin": BASE}, 200),
        ({"Origin": "https://evil.example"}, 403),
        ({"Origin": "null"}, 403),
    ],
)
def test_a_name_that_was_made_to_point_here_is_no_way_in(
    house: Cast, headers: dict[str, str], status: int
) -> None:
    assert post(key(house.owner), **headers).status_code == status
