"""Maya as it is, and one address beside it that says how many follow something here."""

import json
from typing import Any

from agente.streaming.answer import App, Receive, Send
from agente.streaming.hub import Hub
from maya.asgi import application as maya_application

maya: App = maya_application
LISTENERS = "/tests/listeners"


async def application(scope: dict[str, Any], receive: Receive, send: Send) -> None:
    """Answer the tests' own question; hand everything else to Maya."""
    if scope.get("path") != LISTENERS:
        await maya(scope, receive, send)
        return
    channels = Hub.here()._channels.values()
    content = json.dumps(sum(len(channel.listeners) for channel in channels)).encode()
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": content})
