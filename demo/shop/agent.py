"""The signed endpoint: two lookups and two changes."""

import asyncio
import json
from collections.abc import Awaitable, Callable

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from demo.shop import changes, log, orders, signature
from demo.shop.config import Config
from demo.shop.database import connection
from demo.shop.envelope import Call, open_change, open_lookup
from demo.shop.log import Received
from demo.shop.mood import Mood, Moods
from demo.shop.refusal import Refusal

BODY_BYTES = 64 * 1024
SIGNED_HEADERS = (b"x-maf-timestamp", b"x-maf-signature")
KEY_HEADER = b"x-maf-idempotency-key"

Handler = Callable[[Request], Awaitable[Response]]


class Agent:
    """The endpoint's handlers, sharing the shop's settings and its mood."""

    def __init__(self, config: Config, moods: Moods) -> None:
        self.config = config
        self.moods = moods

    def routes(self) -> list[Route]:
        """Return one address for each lookup and each change."""
        return [
            _route("/agent/get-order", self.get_order),
            _route("/agent/order-status-by-run", self.order_status_by_run),
            _route("/agent/cancel-order", self.change("cancel_order")),
            _route("/agent/refund-order", self.change("refund_order")),
        ]

    async def get_order(self, request: Request) -> Response:
        """Answer what the shop knows of one of the customer's own orders."""
        call = await self._lookup(request, "get_order", "order_id")
        return await self._in_mood("lookups", lambda _: _get_order(self.config, call))

    async def order_status_by_run(self, request: Request) -> Response:
        """Answer what became of a change, by the run it was sent for."""
        call = await self._lookup(request, "order_status_by_run", "run_id")
        return await self._in_mood("lookups", lambda _: _by_run(self.config, call))

    def change(self, action: str) -> Handler:
        """Return the handler that carries out one kind of change."""
        kind = changes.CHANGES[action]

        async def handle(request: Request) -> Response:
            received = await self._genuine(request)
            call = open_change(
                received.body,
                site=self.config.site_id,
                action=action,
                key=received.key,
                needs=kind.needs,
                allows=kind.allows,
            )
            return await self._in_mood(
                "changes",
                lambda mood: changes.carry_out(
                    self.config.database,
                    call,
                    received.body,
                    later=mood.name == "pending",
                    effect=mood.effect,
                ),
            )

        return handle

    async def _lookup(self, request: Request, lookup: str, needs: str) -> Call:
        received = await self._genuine(request)
        site = self.config.site_id
        return open_lookup(received.body, site=site, lookup=lookup, needs=(needs,))

    async def _genuine(self, request: Request) -> Received:
        """Log the request and return it, if its signature is fresh and ours."""
        received = await _receive(request)
        genuine = signature.is_genuine(
            self.config.secret, received.timestamp, received.signature, received.body
        )
        await asyncio.to_thread(
            log.record, self.config.database, received, signature_ok=genuine
        )
        if not genuine:
            raise Refusal(403, "bad_signature", "The signature is not good.")
        return received

    async def _in_mood(self, target: str, work: Callable[[Mood], str]) -> Response:
        """Do the work and answer the way the shop feels today."""
        mood = self.moods.take(target)
        works = mood.effect or mood.name == "pending"
        answer = await asyncio.to_thread(work, mood) if works else None
        await asyncio.sleep(mood.seconds)
        return _answer(mood, answer)


def _route(path: str, handler: Handler) -> Route:
    return Route(path, handler, methods=["POST"])


async def _receive(request: Request) -> Received:
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > BODY_BYTES:
            raise Refusal(413, "too_long", "The body is too long.")
    timestamp, given = (_header(request, name) for name in SIGNED_HEADERS)
    key = _header(request, KEY_HEADER)
    return Received(request.url.path, key, timestamp, given, body)


def _header(request: Request, name: bytes) -> bytes:
    """Return the bytes of a header that was sent once; twice is as good as never."""
    values = [value for key, value in request.headers.raw if key == name]
    return values[0] if len(values) == 1 else b""


def _get_order(config: Config, call: Call) -> str:
    with connection(config.database) as db:
        order = orders.find(db, call.input["order_id"], call.customer)
    if order is None:
        return '{"status":"not_found"}'
    data = orders.describe(order, orders.today())
    return _json({"status": "found", "data": data, "card": orders.card(order)})


def _by_run(config: Config, call: Call) -> str:
    with connection(config.database) as db:
        answer = changes.remembered(db, call.input["run_id"], call.customer)
    if answer is None:
        return '{"status":"not_found"}'
    return f'{{"status":"found","data":{answer}}}'


def _answer(mood: Mood, answer: str | None) -> Response:
    match mood.name:
        case "garbage":
            return Response("<!doctype html><p>Volvemos enseguida", 200)
        case "drop":
            return DroppedResponse()
        case "4xx":
            refusal = Refusal(409, "busy", "That order is being worked on.")
            return refusal.response()
        case "5xx":
            return Response("upstream is away", 503)
    if answer is None:
        return Response("upstream was slow and is away", 503)
    return Response(answer, media_type="application/json")


class DroppedResponse(Response):
    """An answer that breaks off after its headers, as when a connection dies."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Promise one byte and never send it; the server then closes the socket."""
        headers = [(b"content-length", b"1")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
