"""What owners copy from docs/verify understands us, and we understand it.

The requests are the ones that a dispatch really sends, byte for byte; the callbacks
are sent by the verifiers themselves, over HTTP.
"""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest
from pytest_django.live_server_helper import LiveServer

from acciones.models import Run
from acciones.steps.dispatch import dispatch
from maya.lib import signing
from tests.demo import test_verify
from tests.demo.test_verify import CALLBACK, REQUEST, VECTOR_BODY, VECTOR_TIME, Verifier

from . import cast as people
from .cast import SECRET, Cast, fresh, make_due

verifier = test_verify.verifier  # the fixture: Python's and Node's


@dataclass
class Recorder:
    """An endpoint that keeps what arrives, and answers ``pending`` or nothing good."""

    url: str = ""
    silent: bool = False
    arrived: list[tuple[dict[str, str], bytes]] = field(default_factory=list)


@contextmanager
def recording() -> Iterator[Recorder]:
    """Run a recorder on the loopback address."""
    recorder = Recorder()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            headers = {name.lower(): value for name, value in self.headers.items()}
            recorder.arrived.append((headers, body))
            answer = b"" if recorder.silent else b'{"status":"pending"}'
            self.send_response(200)
            self.send_header("content-length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, format: str, *arguments: object) -> None:
            """Keep the test's output quiet."""

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    recorder.url = f"http://127.0.0.1:{server.server_port}"
    try:
        yield recorder
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.fixture
def endpoint(settings: Any) -> Iterator[Recorder]:
    with recording() as recorder:
        settings.MAYA_DEV_ENDPOINTS = [recorder.url]
        yield recorder


@pytest.fixture
def site(transactional_db: None, endpoint: Recorder) -> Cast:
    return people.assemble(endpoint.url)


def read(verifier: Verifier, request: tuple[dict[str, str], bytes]) -> Any:
    """Let a verifier read a request as an owner's server would."""
    headers, body = request
    return verifier.ask(
        "read_change",
        body,
        headers=headers,
        secrets=[SECRET],
        site="tienda",
        action="refund_order",
    )


def test_the_vectors_of_the_contract_hold() -> None:
    secret = test_verify.SECRET
    assert signing.request_signature(secret, VECTOR_TIME, VECTOR_BODY) == REQUEST
    signed = signing.callback_signature(secret, "run_123", VECTOR_TIME, VECTOR_BODY)
    assert signed == CALLBACK
    assert signing.matches(REQUEST, [CALLBACK, REQUEST])
    assert not signing.matches(REQUEST, [CALLBACK])


def test_they_accept_the_requests_that_we_send(
    site: Cast, endpoint: Recorder, verifier: Verifier
) -> None:
    run = site.dispatched(amount="79.00")
    (request,) = endpoint.arrived
    assert read(verifier, request) == {
        "version": 1,
        "action": "refund_order",
        "runId": str(run.pk),
        "requestId": str(run.pk),
        "siteId": "tienda",
        "input": {"order_id": "4821", "amount": "79.00"},
        "customer": {"id": "ana", "email": "ana@example.com", "name": "Ana López"},
    }
    headers, body = request
    assert body == bytes(run.proposal.body)
    assert headers["content-type"] == "application/json"


def test_they_accept_a_repetition_that_is_signed_anew(
    site: Cast, endpoint: Recorder, verifier: Verifier
) -> None:
    endpoint.silent = True
    run = site.dispatched()
    make_due(run)
    dispatch(run.pk)
    first, second = endpoint.arrived
    assert first[1] == second[1]
    assert read(verifier, first) == read(verifier, second)


@pytest.mark.parametrize("what", ["body", "signature", "timestamp", "key"])
def test_they_refuse_what_was_changed_on_the_way(
    site: Cast, endpoint: Recorder, verifier: Verifier, what: str
) -> None:
    site.dispatched()
    headers, body = endpoint.arrived[0]
    if what == "body":
        body = body.replace(b"79.00", b"97.00")
    elif what == "key":
        headers["x-maf-idempotency-key"] = "11111111-1111-4111-8111-111111111111"
    else:
        changed = {"signature": "v1=" + "0" * 64, "timestamp": VECTOR_TIME}
        headers[f"x-maf-{what}"] = changed[what]
    assert read(verifier, (headers, body)).keys() == {"refused"}


@pytest.mark.parametrize("status", ["done", "failed"])
def test_we_accept_the_callbacks_that_they_send(
    site: Cast, live_server: LiveServer, verifier: Verifier, status: str
) -> None:
    run = site.dispatched()
    assert run.state == Run.State.PENDING
    answer = json.dumps({"status": status, "reference": "R-1", "message": "Ya está."})

    def call_back(secret: str) -> str:
        sent = verifier.run(
            *("callback", live_server.url, str(run.pk)),
            body=answer.encode(),
            secret=secret,
        )
        return sent.stdout.decode().strip()

    assert call_back("x" * 40) == "403"
    assert fresh(run).state == Run.State.PENDING
    assert call_back(SECRET) == "200"
    run = fresh(run)
    assert (run.state, run.certain, run.reference) == (status, True, "R-1")
    assert call_back(SECRET) == "409"
