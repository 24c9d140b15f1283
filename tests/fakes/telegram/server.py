"""The server: real HTTP, one thread a connection, as much patience as asked for."""

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl

from .control import Control
from .methods import METHODS, Refusal, decoded
from .state import Mood, State

HANG_SECONDS = 30


class FakeTelegram(Control):
    """A Bot API server on a port of its own, and the people who use it."""

    def __init__(self, token: str, port: int = 0) -> None:
        super().__init__(State(token))
        self.hanging = threading.Event()
        self.http = ThreadingHTTPServer(("127.0.0.1", port), _handler(self))
        self.http.daemon_threads = True

    @property
    def url(self) -> str:
        """Return what to set MAYA_TELEGRAM_API to."""
        return f"http://127.0.0.1:{self.http.server_address[1]}"

    @contextmanager
    def running(self) -> Iterator["FakeTelegram"]:
        """Serve until the block ends."""
        thread = threading.Thread(target=self.http.serve_forever, daemon=True)
        thread.start()
        try:
            yield self
        finally:
            self.hanging.set()
            self.http.shutdown()
            self.http.server_close()
            thread.join()


def _handler(telegram: FakeTelegram) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            self.do_POST()

        def do_POST(self) -> None:
            raw = self.rfile.read(int(self.headers.get("content-length") or 0))
            if self.path == "/control":
                self._answer(200, telegram.obey(json.loads(raw)))
                return
            _, _, rest = self.path.partition("/bot")
            token, _, method = rest.partition("/")
            try:
                self._answer(
                    200, {"ok": True, "result": self._call(token, method, raw)}
                )
            except Refusal as no:
                body: dict[str, Any] = {
                    "ok": False,
                    "error_code": no.status,
                    "description": no.description,
                }
                if no.parameters:
                    body["parameters"] = no.parameters
                self._answer(no.status, body)
            except ConnectionAbortedError:
                self.close_connection = True

        def _call(self, token: str, method: str, raw: bytes) -> Any:
            state = telegram.state
            if token != state.token:
                raise Refusal(401, "Unauthorized")
            if method not in METHODS:
                raise Refusal(404, "Not Found: method not found")
            values = self._values(raw)
            with state.lock:
                state.calls.append((method, values))
            mood = state.mood(method)
            if mood is None:
                return METHODS[method](state, values)
            if mood.effect:
                METHODS[method](state, values)
            return self._behave(mood)

        def _behave(self, mood: Mood) -> Any:
            if mood.kind == "hang":
                telegram.hanging.wait(HANG_SECONDS)
                raise ConnectionAbortedError
            if mood.kind == "drop":
                raise ConnectionAbortedError
            parameters = {"retry_after": mood.retry_after} if mood.retry_after else {}
            raise Refusal(int(mood.kind), mood.description or "No.", **parameters)

        def _values(self, raw: bytes) -> dict[str, Any]:
            if self.headers.get("content-type", "").startswith("application/json"):
                values: dict[str, Any] = json.loads(raw or b"{}")
                return values
            return decoded(dict(parse_qsl(raw.decode(), keep_blank_values=True)))

        def _answer(self, status: int, body: Any) -> None:
            text = json.dumps(body).encode()
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)

        def log_message(self, format: str, *args: Any) -> None:
            """Stay quiet: the calls are kept in the state."""

    return Handler


def serve(token: str, port: int) -> None:
    """Serve until the process ends."""
    with FakeTelegram(token, port).running():
        while True:
            time.sleep(3600)
