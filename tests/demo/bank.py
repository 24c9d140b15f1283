"""Call the bank the way Maya does: the official client, with the bank's token."""

import asyncio
from dataclasses import dataclass
from typing import Any

import httpx2
import psycopg
from mcp.client import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError
from mcp_types import CallToolResult, ListToolsResult
from psycopg.rows import DictRow, dict_row

TOKEN = "bank-token-0123456789abcdef"
KEY = "idem_beto_reest_18m_20260912"
PLAN: dict[str, Any] = {
    "clienteId": "beto",
    "tarjetaId": "tc_4821",
    "plazoMeses": 18,
    "tasaPactada": 22.5,
}


@dataclass(frozen=True)
class Bank:
    """A running bank and its database."""

    url: str
    database: str

    def call(self, tool: str, **arguments: Any) -> CallToolResult:
        """Call one tool on a connection of its own."""
        return asyncio.run(self._call(tool, arguments))

    def answer(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """Call one tool that is expected to succeed; return its structured answer."""
        result = self.call(tool, **arguments)
        assert not result.is_error, result.content
        assert result.structured_content is not None
        return dict(result.structured_content)

    def refusal(self, tool: str, **arguments: Any) -> str:
        """Call one tool that is expected to say no; return what it says."""
        result = self.call(tool, **arguments)
        assert result.is_error
        return str(getattr(result.content[0], "text", ""))

    def apply(self, key: str = KEY, **changed: Any) -> dict[str, Any]:
        """Apply the story's plan."""
        return self.answer("aplicar_plan_pago", **(PLAN | changed), idempotency_key=key)

    def tools(self) -> ListToolsResult:
        """Return the tools as the bank lists them."""

        async def ask() -> ListToolsResult:
            async with self._client() as client:
                return await client.list_tools()

        return asyncio.run(ask())

    def rows(self, query: str) -> list[DictRow]:
        """Read, or change, the bank's own database behind its back."""
        with psycopg.connect(self.database, row_factory=dict_row) as db:
            cursor = db.execute(query.encode())
            return cursor.fetchall() if cursor.description else []

    async def _call(self, tool: str, arguments: dict[str, Any]) -> CallToolResult:
        # An error that leaves the client's block comes out wrapped in a group.
        async with self._client() as client:
            try:
                return await client.call_tool(tool, arguments)
            except MCPError as error:
                refused = error
        raise refused

    def _client(self) -> Client:
        http = httpx2.AsyncClient(
            headers={"authorization": f"Bearer {TOKEN}"}, timeout=20, trust_env=False
        )
        return Client(streamable_http_client(f"{self.url}/mcp", http_client=http))
