"""An owner's system in a thread: honest, deduplicating by key, and moody.

It is the shop's contract with nothing around it, so that a test can hold a request
in the middle, and knows for each key whether the change really happened.
"""

import json
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from uuid import UUID

from acciones.models import Run
from maya.lib import signing

SECONDS = 20
"""How long a held request waits to be released, should a test have failed."""


@dataclass(frozen=True)
class Mood:
    """How one change is answered: ``works`` says whether it happens all the same."""

    answer: str = "ok"
    works: bool = True


SILENT = Mood("5xx", works=False)
MOODS = [
    *(Mood(name) for name in ("ok", "ok", "pending", "failed")),
    *(Mood(name) for name in ("5xx", "garbage", "drop")),
    *(SILENT, Mood("4xx", works=False)),
]


@dataclass
class Held:
    """A request that arrived and waits for its mood."""

    mood: Mood = field(default_factory=Mood)
    arrived: threading.Event = field(default_factory=threading.Event)
    released: threading.Event = field(default_factory=threading.Event)


class Endpoint:
    """The endpoint's memory; one lock stands for its database's transactions."""

    def __init__(self, secret: str) -> None:
        self.secret = secret
        self.lock = threading.Lock()
        self.forget()

    def forget(self) -> None:
        """Be as new."""
        self.mood, self.lookups = Mood(), Mood()
        self.held: Held | None = None
        self.world: dict[str, str] = {}
        self.effects: Counter[str] = Counter()
        self.answers: dict[str, dict[str, str]] = {}
        self.bodies: dict[str, list[bytes]] = {}
        self.refused: set[str] = set()
        self.forged = 0

    def change(self, key: str, body: bytes) -> tuple[int, bytes] | None:
        """Answer a change; None breaks the connection off."""
        asked = json.loads(body)
        assert asked["runId"] == asked["requestId"] == key
        with self.lock:
            self.bodies.setdefault(key, []).append(body)
        mood = self._hold() or self.mood
        with self.lock:
            return self._answer(key, mood)

    def _hold(self) -> Mood | None:
        """Let the first request that comes hang, if one should."""
        with self.lock:
            held, self.held = self.held, None
        if held is None:
            return None
        held.arrived.set()
        assert held.released.wait(SECONDS)
        return held.mood

    def _answer(self, key: str, mood: Mood) -> tuple[int, bytes] | None:
        # "Busy" may be said to a repetition of what was done, never to its only request
        told = key in self.answers and len(self.bodies[key]) == 1
        if mood.answer == "4xx" and not told:
            self.refused.add(key)
            return 409, b'{"error":"busy"}'
        if key not in self.answers and mood.works:
            self.answers[key] = self._carry_out(key, mood)
        if mood.answer == "5xx" or key not in self.answers:
            return 503, b"away"
        if mood.answer == "garbage":
            return 200, b"<!doctype html>"
        if mood.answer == "drop":
            return None
        return 200, json.dumps(self.answers[key]).encode()

    def _carry_out(self, key: str, mood: Mood) -> dict[str, str]:
        if mood.answer in {"pending", "failed"}:
            return {"status": mood.answer}
        self.effects[key] += 1
        return {"status": "done", "reference": key[:8]}

    def settle(self, key: str, status: str) -> dict[str, str]:
        """End a key for good, as the owner's back office would.

        What is final stays, and what was refused outright is not done afterwards.
        """
        with self.lock:
            if key not in self.answers and key in self.refused:
                status = "failed"
            if self.answers.get(key, {}).get("status") not in {"done", "failed"}:
                self.effects[key] += status == "done"
                self.answers[key] = {"status": status}
            return self.answers[key]

    def move(self, order: str) -> None:
        """Let the warehouse move an order out, or back in."""
        gone = self.world.get(order) == "shipped"
        self.world[order] = "delivered" if gone else "shipped"

    def seen(self, run_id: UUID) -> tuple[int, int]:
        """Return how often a key came, and how often it had an effect."""
        key = str(run_id)
        return len(self.bodies.get(key, [])), self.effects[key]

    def agrees(self, run: Run) -> None:
        """Fail unless what Maya says of a run is what happened here, once or never."""
        count, effects = self.seen(run.pk)
        assert effects <= 1
        assert count <= 3
        assert set(self.bodies.get(str(run.pk), [])) <= {bytes(run.proposal.body)}
        if run.state == Run.State.DONE:
            assert effects == 1
        if run.state == Run.State.FAILED and run.certain:
            assert effects == 0, run.reason
        if run.state in {"cancelled", "rejected", "expired"}:
            assert count == 0

    def lookup(self, name: str, given: dict[str, str]) -> tuple[int, bytes]:
        """Answer a read from the world as it is."""
        mood = self._hold() or self.lookups
        if mood.answer not in {"ok", "pending", "failed"}:
            return 503, b"away"
        with self.lock:
            if name == "get_order":
                order = given["order_id"]
                data = {"order_id": order, "status": self.world.get(order, "delivered")}
            else:
                data = dict(self.answers.get(given["run_id"], {}))
        answer = {"status": "found", "data": data} if data else {"status": "not_found"}
        return 200, json.dumps(answer).encode()


def _handler(endpoint: Endpoint) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            timestamp = self.headers["x-maf-timestamp"]
            expected = signing.request_signature(endpoint.secret, timestamp, body)
            if self.headers["x-maf-signature"] != expected:
                endpoint.forged += 1
                self._send(403, b"{}")
                return
            key = self.headers["x-maf-idempotency-key"]
            asked: dict[str, Any] = json.loads(body)
            if key is None:
                self._send(*endpoint.lookup(asked["lookup"], asked["input"]))
                return
            answer = endpoint.change(key, body)
            if answer is not None:
                self._send(*answer)

        def _send(self, status: int, body: bytes) -> None:
            with suppress(BrokenPipeError, ConnectionResetError):
                self.send_response(status)
                self.send_header("content-length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

        def log_message(self, format: str, *arguments: object) -> None:
            """Keep the test's output quiet."""

    return Handler


@contextmanager
def serving(endpoint: Endpoint) -> Iterator[str]:
    """Serve an endpoint on the loopback address; yield its base address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(endpoint))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
