"""The bank as one ASGI application: its page, and its MCP server behind a token."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from mcp.server.mcpserver import MCPServer
from starlette.applications import Starlette
from starlette.routing import Mount

from demo.bank.bearer import BearerOnly
from demo.bank.config import PEOPLE, Config
from demo.bank.database import Database
from demo.bank.tools import Tools
from demo.door import Company, door_routes


def build(config: Config) -> Starlette:
    """Return the application; its database is opened when it starts."""
    database = Database(config.database_url)
    server = MCPServer(
        "banco-alameda",
        title="Banco Alameda",
        version="1.0",
        instructions="Tarjetas y apartados de un banco inventado.",
        tools=Tools(database).all(),
        log_level="WARNING",
    )
    # Stateless: every call stands alone, so a restart costs no caller its session.
    mcp = server.streamable_http_app(stateless_http=True, json_response=True)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        database.open()
        try:
            async with server.session_manager.run():
                yield
        finally:
            database.close()

    # Whatever is not part of the public page is behind the token.
    private = Mount("/", BearerOnly(mcp, config.token))
    return Starlette(
        routes=[*door_routes(_company(config)), private], lifespan=lifespan
    )


def _company(config: Config) -> Company:
    return Company(
        name="Banco Alameda",
        site_id=config.site_id,
        maya_url=config.maya_url,
        secret=config.secret,
        kid=config.kid,
        people=PEOPLE,
        pages=Path(__file__).parent,
    )
