"""The ways in: streams as bare ASGI, WebSockets through Channels, Django for the rest.

Runs the same under Daphne and Uvicorn. Nothing here needs a lifespan: whatever a stream
uses is opened at its first use.
"""

import os
import re

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "maya.settings")
# Django first: what follows imports models
pages = get_asgi_application()

from channels.routing import ProtocolTypeRouter  # noqa: E402

from agente.streaming import agui, inbox, jsonl, sse, websocket  # noqa: E402
from agente.streaming.answer import App, ASGIScope, Receive, Send  # noqa: E402
from canales.assistants.app import owner  # noqa: E402

Routes = list[tuple[re.Pattern[str], App]]

STREAMS: Routes = [
    (re.compile(r"/api/agente"), jsonl.agent),
    (re.compile(r"/api/ag-ui/(?P<site>[^/]+)"), agui.run),
    (re.compile(r"/api/conversations/(?P<id>[^/]+)/events"), sse.of_conversation),
    (re.compile(r"/api/runs/(?P<id>[^/]+)/events"), sse.of_run),
    (re.compile(r"/mcp/owner"), owner),
]
SOCKETS: Routes = [
    (re.compile(r"/ws/conversations/(?P<id>[^/]+)"), websocket.conversation),
    (re.compile(r"/ws/inbox"), inbox.inbox),
]


async def refuse(scope: ASGIScope, receive: Receive, send: Send) -> None:
    """Refuse a WebSocket that leads nowhere."""
    await receive()
    await send({"type": "websocket.close", "code": 4404})


def route(routes: Routes, otherwise: App) -> App:
    """Return an application that picks the route of a path."""

    async def routed(scope: ASGIScope, receive: Receive, send: Send) -> None:
        for address, app in routes:
            if found := address.fullmatch(scope["path"]):
                scope = {**scope, "path_params": found.groupdict()}
                await app(scope, receive, send)
                return
        await otherwise(scope, receive, send)

    return routed


application = ProtocolTypeRouter(
    {"http": route(STREAMS, pages), "websocket": route(SOCKETS, refuse)}
)
