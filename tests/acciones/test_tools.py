"""What an MCP server may say: held to the same as a signed endpoint."""

from typing import Any

import pytest

from acciones.executors import lookup, tool
from acciones.models import Action, Connection
from acciones.readers import FOUND, UNKNOWN
from maya.lib import background, mcp

from .cast import Cast, action

BODY = b'{"name":"apply","arguments":{"note":"\\\\u0000"}}'


def answering(monkeypatch: pytest.MonkeyPatch, data: dict[str, Any]) -> None:
    """Have every tool answer this."""

    async def call_tool(*args: Any, **more: Any) -> mcp.ToolAnswer:
        return mcp.ToolAnswer(is_error=False, data=data, text=str(data))

    monkeypatch.setattr(mcp, "call_tool", call_tool)


@pytest.fixture
def read(cast: Cast) -> Action:
    """A lookup that is a tool."""
    server = Connection.objects.create(
        site=cast.site, name="mcp", kind=Connection.Kind.MCP, url="https://m.example"
    )
    return action(cast.site, server, "panorama", kind="lookup", path="panorama")


def deep(levels: int) -> dict[str, Any]:
    """Nest objects."""
    value: dict[str, Any] = {}
    for _ in range(levels):
        value = {"a": value}
    return value


@pytest.mark.parametrize(
    ("data", "status"),
    [
        ({"saldo": 12, "nota": "ñ\n"}, FOUND),
        (deep(40), FOUND),
        (deep(200), UNKNOWN),
        ({"nota": "\x00"}, UNKNOWN),
        ({"nota\ud800": 1}, UNKNOWN),
        ({"saldo": float("nan")}, UNKNOWN),
        ({"nota": "x" * 70_000}, UNKNOWN),
    ],
)
def test_a_reading_is_strict_json_of_a_reasonable_size(
    cast: Cast,
    read: Action,
    monkeypatch: pytest.MonkeyPatch,
    data: dict[str, Any],
    status: str,
) -> None:
    answering(monkeypatch, data)
    reading = background.run(lookup.read(read, {}, cast.conversation))
    assert reading.status == status


def test_a_change_is_done_whatever_characters_tell_it(
    read: Action, monkeypatch: pytest.MonkeyPatch
) -> None:
    answering(monkeypatch, {"message": "listo\x00", "reference": "r-1"})
    outcome = background.run(tool.change(read.connection, BODY))
    assert (outcome.verdict, outcome.message) == ("done", "listo\ufffd")
