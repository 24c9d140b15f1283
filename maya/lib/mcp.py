"""MCP tools over streamable HTTP: one kept client per server and process.

A connect costs 20 times a call, so clients stay open on the background loop. The
addresses are judged like every outgoing request's; the library brings its own HTTP
client, so the policy is shared and the transport is thin.
"""

import asyncio
from collections.abc import Coroutine, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, TypeVar

import httpx2
from django.conf import settings
from mcp import Client, MCPError
from mcp.client.streamable_http import streamable_http_client
from mcp_types import CallToolResult, TextContent, Tool

from . import addresses, background, outgoing
from .stored import storable

Result = TypeVar("Result")
MAXIMUM_CHARACTERS = 64 * 1024


class Unavailable(Exception):
    """The server could not be asked, or its answer is no answer: nothing is known."""


@dataclass(frozen=True)
class Server:
    """Where a server is and what it wants to hear to let us in."""

    url: str
    headers: Mapping[str, str] = field(default_factory=dict)

    @property
    def key(self) -> tuple[str, ...]:
        """Return what tells two servers apart, credentials included."""
        return (self.url, *sorted(f"{k}:{v}" for k, v in self.headers.items()))


@dataclass(frozen=True)
class ToolAnswer:
    """A tool's result: its structured content, else ``{"text": …}``."""

    is_error: bool
    data: dict[str, Any]
    text: str


class PinnedTransport(httpx2.AsyncHTTPTransport):
    """Connects to the address that was judged."""

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Pin the request to its judged address and send it."""
        target = await addresses.resolve(str(request.url))
        request.extensions["sni_hostname"] = target.host
        request.url = request.url.copy_with(host=target.ip)
        return await super().handle_async_request(request)


class Kept:
    """A client held open by a task of its own (its scope must end where it began)."""

    def __init__(self, server: Server) -> None:
        """Start connecting at once."""
        self.server = server
        self.stop = asyncio.Event()
        self.ready: asyncio.Future[Client] = asyncio.get_running_loop().create_future()
        self.task = asyncio.create_task(self._hold())

    async def _hold(self) -> None:
        try:
            async with _connected(self.server) as client:
                self.ready.set_result(client)
                await self.stop.wait()
        except BaseException as error:  # noqa: BLE001  told to whoever waits
            if not self.ready.done():
                self.ready.set_exception(Unavailable(type(error).__name__))
                self.ready.exception()  # nobody may be waiting any more


@asynccontextmanager
async def _connected(server: Server) -> Any:
    async with httpx2.AsyncClient(
        transport=PinnedTransport(),
        headers=dict(server.headers),
        timeout=settings.MAYA_HTTP_SECONDS,
        trust_env=False,
        follow_redirects=False,
    ) as http:
        transport = streamable_http_client(server.url, http_client=http)
        async with Client(
            transport, read_timeout_seconds=settings.MAYA_HTTP_SECONDS
        ) as client:
            yield client


_kept: dict[tuple[str, ...], Kept] = {}


async def _client(server: Server) -> Client:
    held = _kept.get(server.key)
    if held is None or held.task.done():
        held = _kept[server.key] = Kept(server)
    return await asyncio.shield(held.ready)


def _forget(server: Server) -> None:
    held = _kept.pop(server.key, None)
    if held is not None:
        held.stop.set()


async def _on_background(work: Coroutine[Any, Any, Result]) -> Result:
    """Run where the kept clients live, whichever loop is asking."""
    loop = background.loop()
    if asyncio.get_running_loop() is loop:
        return await work
    return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(work, loop))


async def _guarded(server: Server, work: Coroutine[Any, Any, Result]) -> Result:
    try:
        async with asyncio.timeout(settings.MAYA_HTTP_SECONDS):
            return await work
    except addresses.Refused:
        raise
    except MCPError as error:
        _forget(server)
        raise Unavailable(f"MCP {error.code}") from error
    except Exception as error:  # the library raises many kinds; all mean the same
        _forget(server)
        raise Unavailable(type(error).__name__) from error


async def call_tool(
    server: Server,
    name: str,
    arguments: dict[str, Any],
    *,
    meta: dict[str, Any] | None = None,
    reads: bool = False,
) -> ToolAnswer:
    """Call a tool; ``reads`` says that it changes nothing.

    Raises ``Unavailable`` (nothing is known) or ``Refused`` (nothing was sent).
    """

    async def work() -> ToolAnswer:
        client = await _client(server)
        result = await client.call_tool(name, arguments, meta=meta)  # type: ignore[arg-type]
        return _answer(result)

    outgoing.judge(reads=reads)
    addresses.judge(server.url)
    return await _on_background(_guarded(server, work()))


async def list_tools(server: Server) -> list[Tool]:
    """Return the server's tools; raises ``Unavailable`` or ``Refused``."""

    async def work() -> list[Tool]:
        client = await _client(server)
        return list((await client.list_tools()).tools)

    addresses.judge(server.url)
    return await _on_background(_guarded(server, work()))


def _answer(result: CallToolResult) -> ToolAnswer:
    text = "\n".join(
        part.text for part in result.content if isinstance(part, TextContent)
    )
    if len(text) > MAXIMUM_CHARACTERS:
        raise Unavailable("answer too long")
    data = result.structured_content
    return ToolAnswer(
        is_error=bool(result.is_error),
        data=data if isinstance(data, dict) else {"text": text},
        text=storable(text),
    )
