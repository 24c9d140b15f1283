"""MCP changes: the stored call, with the key where the tool takes one."""

import json
from typing import Any

from acciones.models import Connection
from maya.lib import addresses, mcp
from maya.lib.stored import storable

from .answer import LONG, SHORT, Outcome


def server_of(connection: Connection) -> mcp.Server:
    """Return a connection as the MCP client knows it."""
    return mcp.Server(connection.url, connection.headers)


async def change(connection: Connection, body: bytes) -> Outcome:
    """Make the stored call. ``isError`` is a refusal, silence is unknown.

    Like a 4xx, a refusal proves nothing about an earlier call that went unanswered.
    """
    call: dict[str, Any] = json.loads(body)
    try:
        answer = await mcp.call_tool(
            server_of(connection),
            call["name"],
            call["arguments"],
            meta=call.get("_meta"),
        )
    except addresses.Refused as error:
        return Outcome("refused", detail=str(error))
    except mcp.Unavailable as error:
        return Outcome("uncertain", detail=str(error))
    if answer.is_error:
        return Outcome("refused", answer=answer.text, detail="isError")
    return Outcome(
        "done",
        message=_short(answer.data, "message", "mensaje", limit=LONG),
        reference=_short(answer.data, "reference", "referencia", "id", limit=SHORT),
        answer=answer.text,
    )


def _short(data: dict[str, Any], *names: str, limit: int) -> str:
    for name in names:
        value = data.get(name)
        if isinstance(value, str):
            return storable(value)[:limit]
    return ""
