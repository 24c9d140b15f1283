"""Lookups: reads over a signed webhook or an MCP tool, judged alike.

Only ``not_found`` means that a thing does not exist; a time-out, any non-2xx and an
answer outside the schema are ``unknown``.
"""

import uuid
from functools import cache
from typing import Any

import httpx
from jsonschema import Draft202012Validator

from acciones import inputs
from acciones.errors import Disabled, SignInRequired
from acciones.models import Action, Conversation
from acciones.readers import FOUND, NOT_FOUND, UNKNOWN, Reading
from maya.lib import addresses, canonical, http, mcp
from maya.lib.rows import in_thread

from . import tool, webhook
from .answer import CARD

SCHEMA = {
    "type": "object",
    "properties": {
        "status": {"enum": [FOUND, NOT_FOUND]},
        "data": {"type": "object"},
        "card": CARD,
    },
    "required": ["status"],
    "additionalProperties": False,
}


@cache
def _validator() -> Draft202012Validator:
    return Draft202012Validator(SCHEMA)


async def read(
    action: Action, arguments: dict[str, Any], conversation: Conversation
) -> Reading:
    """Read for a conversation; session arguments come from its visitor alone.

    Raises ``BadInput``, ``Disabled``, ``SignInRequired`` or ``NoSecret`` before
    anything is sent.
    """
    prepared = await in_thread(_prepare, action, arguments, conversation)
    return await prepared.send()


class Prepared:
    """A read that is ready to be sent, with no row left to ask for."""

    def __init__(self, action: Action, values: dict[str, Any]) -> None:
        """Keep what both kinds need."""
        self.action, self.values = action, values
        self.url, self.body, self.headers = "", b"", dict[str, str]()
        self.server: mcp.Server | None = None

    async def send(self) -> Reading:
        """Ask, and judge what comes back."""
        if self.server is not None:
            return await _ask_tool(self.server, self.action.path, self.values)
        return await _ask_endpoint(self.url, self.body, self.headers)


def _prepare(
    action: Action, arguments: dict[str, Any], conversation: Conversation
) -> Prepared:
    if not action.enabled or not action.connection.enabled:
        raise Disabled
    customer = conversation.visitor.customer
    values = inputs.validated(action, arguments)
    session = inputs.bound(action, customer)
    if action.requires_customer and customer is None:
        raise SignInRequired
    prepared = Prepared(action, {**session, **values})
    if action.is_mcp:
        prepared.server = tool.server_of(action.connection)
        return prepared
    prepared.url = webhook.url_of(action)
    prepared.body = canonical.compact(
        {
            "version": 1,
            "lookup": action.name,
            "requestId": str(uuid.uuid4()),
            "siteId": conversation.site.public_id,
            "input": {**session, **values},
            "customer": customer.wire() if customer else None,
        }
    )
    secret = webhook.newest_secret(action.site_id)
    prepared.headers = webhook.headers(secret.plain, prepared.body)
    return prepared


async def _ask_endpoint(url: str, body: bytes, headers: dict[str, str]) -> Reading:
    try:
        answer = await http.post(url, body=body, headers=headers, reads=True)
    except addresses.Refused as error:
        return Reading(UNKNOWN, detail=str(error))
    except (TimeoutError, httpx.HTTPError, OSError, http.TooLong) as error:
        return Reading(UNKNOWN, detail=type(error).__name__)
    if not 200 <= answer.status < 300:
        return Reading(UNKNOWN, detail=f"HTTP {answer.status}")
    try:
        value = canonical.strict_loads(answer.body)
    except canonical.NotJSON as error:
        return Reading(UNKNOWN, detail=f"JSON: {error}")
    if not _validator().is_valid(value):
        return Reading(UNKNOWN, detail="outside the schema")
    return Reading(value["status"], value.get("data", {}), value.get("card"))


async def _ask_tool(server: mcp.Server, name: str, values: dict[str, Any]) -> Reading:
    try:
        answer = await mcp.call_tool(server, name, values, reads=True)
    except addresses.Refused as error:
        return Reading(UNKNOWN, detail=str(error))
    except mcp.Unavailable as error:
        return Reading(UNKNOWN, detail=str(error))
    if answer.is_error:
        return Reading(UNKNOWN, detail="isError")
    if not _is_plain(answer.data):
        return Reading(UNKNOWN, detail="outside the schema")
    return Reading(FOUND, answer.data)


def _is_plain(data: dict[str, Any]) -> bool:
    """Hold a tool's data to what an endpoint may answer: strict JSON of its size."""
    try:
        raw = canonical.compact(data)
        canonical.strict_loads(raw)
    except (ValueError, RecursionError):
        return False
    return len(raw) <= http.MAXIMUM_BYTES
