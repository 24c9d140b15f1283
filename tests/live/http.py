"""Plain HTTP to processes of our own.

httpx reads the system's certificates for each client, which takes longer than most of
these requests; nothing here speaks TLS, so one empty context serves all.
"""

import ssl
from contextlib import AbstractContextManager
from typing import Any

import httpx

NO_TLS = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
SECONDS = 10


def get(address: str, **options: Any) -> httpx.Response:
    """Ask for something."""
    return httpx.get(address, **_settled(options))


def post(address: str, **options: Any) -> httpx.Response:
    """Send something."""
    return httpx.post(address, **_settled(options))


def stream(
    method: str, address: str, **options: Any
) -> AbstractContextManager[httpx.Response]:
    """Ask for something that is read as it comes."""
    return httpx.stream(method, address, **_settled(options))


def _settled(options: dict[str, Any]) -> dict[str, Any]:
    return {"verify": NO_TLS, "timeout": SECONDS, **options}
