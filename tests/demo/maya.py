"""What Maya sends, made by hand from the contract, and a place for what comes back."""

import json
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from hmac import new as hmac
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import httpx

SECRET = "agent-secret-of-32-bytes-or-more-0123456789"
SITE = "tienda"
ANA: dict[str, str] = {"id": "ana", "email": "ana@example.com", "name": "Ana López"}
LUIS: dict[str, str] = {"id": "luis"}


def compact(value: object) -> bytes:
    """Return JSON without spaces, as Maya sends it."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def sign(secret: str, timestamp: str, body: bytes) -> str:
    """Return the signature header of an outgoing request."""
    message = b"maf-webhook-v1:" + timestamp.encode() + b"." + body
    return "v1=" + hmac(secret.encode(), message, sha256).hexdigest()


def sign_callback(secret: str, run_id: str, timestamp: str, body: bytes) -> str:
    """Return the signature header that a callback has to carry."""
    message = f"maf-callback-v1:{run_id}:{timestamp}.".encode() + body
    return "v1=" + hmac(secret.encode(), message, sha256).hexdigest()


def change_body(
    action: str,
    given: dict[str, str],
    run_id: str,
    customer: dict[str, str] | None = ANA,
) -> bytes:
    """Return the body of a change, in the contract's order of keys."""
    return compact(
        {
            "version": 1,
            "action": action,
            "runId": run_id,
            "requestId": run_id,
            "siteId": SITE,
            "input": given,
            "customer": customer,
        }
    )


@dataclass
class Maya:
    """Signs and sends what Maya would send to the shop."""

    shop: str
    client: httpx.Client = field(
        default_factory=lambda: httpx.Client(timeout=20, trust_env=False)
    )

    def refund(
        self, order_id: str = "4821", amount: str = "79.00", **more: Any
    ) -> httpx.Response:
        """Send a refund and return its response."""
        given = {"order_id": order_id, "amount": amount}
        return self.change("refund_order", given, **more)

    def cancel(self, order_id: str, **more: Any) -> httpx.Response:
        """Send a cancellation and return its response."""
        return self.change("cancel_order", {"order_id": order_id}, **more)

    def change(
        self,
        action: str,
        given: dict[str, str],
        run_id: str | None = None,
        customer: dict[str, str] | None = ANA,
    ) -> httpx.Response:
        """Send a change as Maya does: signed now, its run as the key."""
        run = run_id or str(uuid.uuid4())
        body = change_body(action, given, run, customer)
        return self.post(f"/agent/{action.replace('_', '-')}", body, key=run)

    def lookup(
        self, name: str, given: dict[str, str], customer: dict[str, str] | None = ANA
    ) -> httpx.Response:
        """Send a lookup as Maya does: signed, without a key."""
        body = compact(
            {
                "version": 1,
                "lookup": name,
                "requestId": str(uuid.uuid4()),
                "siteId": SITE,
                "input": given,
                "customer": customer,
            }
        )
        return self.post(f"/agent/{name.replace('_', '-')}", body)

    def by_run(self, run_id: str, customer: dict[str, str] = ANA) -> Any:
        """Return the answer of the status lookup."""
        given = {"run_id": run_id}
        return self.lookup("order_status_by_run", given, customer).json()

    def post(
        self,
        path: str,
        body: bytes,
        *,
        key: str | None = None,
        timestamp: str | None = None,
        signature: str | bytes | None = None,
        secret: str = SECRET,
    ) -> httpx.Response:
        """Post raw bytes with headers that are right unless told otherwise."""
        at = timestamp or str(int(time.time()))
        headers: dict[str, str | bytes] = {
            "content-type": "application/json",
            "x-maf-timestamp": at,
            "x-maf-signature": signature or sign(secret, at, body),
        }
        if key is not None:
            headers["x-maf-idempotency-key"] = key
        raw = [
            (name.encode(), value if isinstance(value, bytes) else value.encode())
            for name, value in headers.items()
        ]
        return self.client.post(self.shop + path, content=body, headers=raw)

    def control(self, path: str = "", **asked: Any) -> httpx.Response:
        """Ask something of the shop's back room."""
        return self.client.post(f"{self.shop}/control{path}", json=asked)

    def refunds(self) -> Any:
        """Return the shop's refunds."""
        return self.client.get(f"{self.shop}/control/refunds").json()

    def log(self) -> Any:
        """Return the shop's log of requests."""
        return self.client.get(f"{self.shop}/control/log").json()


@dataclass
class Arrived:
    """One callback as it reached Maya."""

    path: str
    headers: dict[str, str]
    body: bytes


@contextmanager
def callbacks(port: int) -> Iterator[list[Arrived]]:
    """Listen where Maya would, and collect the callbacks that arrive."""
    arrived: list[Arrived] = []

    class Receiver(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            headers = {k.lower(): v for k, v in self.headers.items()}
            arrived.append(Arrived(self.path, headers, body))
            self.send_response(409 if b'"failed"' in body else 200)
            self.end_headers()
            self.wfile.write(b"{}")

        def log_message(self, format: str, *arguments: object) -> None:
            """Keep the test's output quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", port), Receiver)
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        yield arrived
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
