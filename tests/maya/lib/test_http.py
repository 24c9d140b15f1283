"""The outgoing client against a server that behaves badly."""

import asyncio
import gzip
import socket
import threading
import time
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from maya.lib import http

OK = b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}"


class Server:
    """Answers each connection with fixed bytes and keeps what it was sent."""

    def __init__(self, answer: bytes = OK, *, pause: float = 0) -> None:
        self.answer, self.pause, self.got = answer, pause, b""
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.origin = f"http://127.0.0.1:{self.socket.getsockname()[1]}"
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        while True:
            try:
                peer, _ = self.socket.accept()
            except OSError:
                return
            with peer:
                self.got = peer.recv(65536)
                while not self.got.endswith(b"{}"):
                    self.got += peer.recv(65536)
                time.sleep(self.pause)
                try:
                    peer.sendall(self.answer)
                except OSError:
                    continue


@pytest.fixture
def serve(settings: Any) -> Iterator[Any]:
    made: list[Server] = []

    def start(*args: Any, **kwargs: Any) -> Server:
        server = Server(*args, **kwargs)
        settings.MAYA_DEV_ENDPOINTS = [server.origin]
        settings.MAYA_HTTP_SECONDS = 0.7
        made.append(server)
        return server

    yield start
    for server in made:
        server.socket.close()


def post(server: Server) -> http.Answer:
    return asyncio.run(http.post(f"{server.origin}/x", body=b"{}", headers={"a": "b"}))


def test_bytes_and_headers_go_as_given(serve: Any) -> None:
    server = serve()
    assert post(server) == http.Answer(200, b"{}")
    assert server.got.startswith(b"POST /x HTTP/1.1\r\n")
    assert b"accept-encoding: identity" in server.got
    assert server.got.endswith(b"\r\n\r\n{}")


def test_a_redirect_is_not_followed(serve: Any) -> None:
    server = serve(
        b"HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1:1/\r\n"
        b"content-length: 0\r\n\r\n"
    )
    assert post(server).status == 302


def test_one_deadline_covers_a_slow_answer(serve: Any) -> None:
    started = time.monotonic()
    with pytest.raises((TimeoutError, httpx.TimeoutException)):
        post(serve(pause=5))
    assert time.monotonic() - started < 2


def test_a_long_answer_is_cut_off(serve: Any) -> None:
    body = b"x" * (http.MAXIMUM_BYTES + 1)
    head = f"HTTP/1.1 200 OK\r\ncontent-length: {len(body)}\r\n\r\n".encode()
    with pytest.raises(http.TooLong):
        post(serve(head + body))


def test_a_bomb_is_not_unpacked(serve: Any) -> None:
    bomb = gzip.compress(b"\0" * 20_000_000)
    head = (
        "HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\n"
        f"content-length: {len(bomb)}\r\n\r\n"
    ).encode()
    answer = post(serve(head + bomb))
    assert answer.body == bomb


def test_proxies_of_the_environment_are_ignored(
    serve: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:1")
    assert post(serve()).status == 200


@pytest.mark.parametrize("answer", [b"", b"garbage", b"HTTP/1.1 200"])
def test_a_broken_answer_is_an_error(serve: Any, answer: bytes) -> None:
    with pytest.raises(httpx.HTTPError):
        post(serve(answer))
