"""The back room: change the shop's mood, move an order, read the log.

Nobody signs in here, so it only works on this machine: the server listens on the
loopback address alone, and a request whose Host is another name is refused, because
a web page may point a name of its own at 127.0.0.1 and let a browser in that way.
"""

import asyncio
import json
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from demo.shop import callback, changes, log, orders
from demo.shop.config import Config
from demo.shop.database import connection
from demo.shop.mood import Moods, read_mood
from demo.shop.refusal import Refusal

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
FINAL = ("done", "failed")


class Control:
    """The control endpoints of one running shop."""

    def __init__(self, config: Config, moods: Moods) -> None:
        self.config = config
        self.moods = moods

    def routes(self) -> list[Route]:
        """Return the addresses of the back room."""
        return [
            Route("/control", self.mood, methods=["POST"]),
            Route("/control/order", self.order, methods=["POST"]),
            Route("/control/callback", self.callback, methods=["POST"]),
            Route("/control/log", self.log),
            Route("/control/refunds", self.refunds),
        ]

    async def mood(self, request: Request) -> Response:
        """Put the shop in a mood for its next requests."""
        asked = await _asked(request)
        try:
            mood = read_mood(asked)
        except ValueError as error:
            raise Refusal(400, "bad_mood", str(error)) from error
        self.moods.put(mood)
        return JSONResponse({"mood": mood.name, "effect": mood.effect, "on": mood.on})

    async def order(self, request: Request) -> Response:
        """Move an order to another status, as if the warehouse had done it."""
        asked = await _asked(request)
        order_id, status = asked.get("order_id"), asked.get("status")
        if status not in orders.LABELS:
            raise Refusal(400, "bad_status", f"One of {', '.join(orders.LABELS)}.")
        with connection(self.config.database) as db:
            moved = db.execute(
                "UPDATE orders SET status = ? WHERE order_id = ?", (status, order_id)
            )
        if moved.rowcount != 1:
            raise Refusal(404, "no_such_order", "There is no such order.")
        return JSONResponse({"order_id": order_id, "status": status})

    async def callback(self, request: Request) -> Response:
        """Settle a pending change and send Maya the signed callback."""
        asked = await _asked(request)
        run_id, status = asked.get("run_id"), asked.get("status")
        if not isinstance(run_id, str) or status not in FINAL:
            raise Refusal(400, "bad_callback", "It takes a run_id and done or failed.")
        path = self.config.database
        answer = await asyncio.to_thread(changes.settle, path, run_id, status)
        code, body = await asyncio.to_thread(callback.send, self.config, run_id, answer)
        return JSONResponse({"sent": answer, "status": code, "body": body})

    async def log(self, request: Request) -> Response:
        """Return every request the endpoint has received."""
        _local(request)
        return JSONResponse(log.everything(self.config.database))

    async def refunds(self, request: Request) -> Response:
        """Return the rows of the shop's own refunds."""
        _local(request)
        with connection(self.config.database) as db:
            rows = db.execute("SELECT * FROM refunds ORDER BY created, order_id")
            return JSONResponse([dict(row) for row in rows])


def _local(request: Request) -> None:
    host = request.headers.get("host", "")
    name = host if host.endswith("]") else host.rsplit(":", 1)[0]
    if name not in LOOPBACK:
        raise Refusal(403, "not_here", "The back room has no door to the street.")


async def _asked(request: Request) -> dict[str, Any]:
    """Return the JSON object that was sent from this machine.

    Another site's form cannot send application/json without asking first, and nobody
    here answers such a question.
    """
    _local(request)
    if request.headers.get("content-type", "").split(";")[0] != "application/json":
        raise Refusal(415, "not_json", "Send application/json.")
    try:
        asked = json.loads(await request.body())
    except ValueError as error:
        raise Refusal(400, "bad_json", "The body is not JSON.") from error
    if not isinstance(asked, dict):
        raise Refusal(400, "bad_json", "The body is not a JSON object.")
    return asked
