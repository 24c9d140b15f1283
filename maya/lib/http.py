"""The one outgoing HTTP client: SSRF-safe, bounded in time and bytes, no redirects."""

import asyncio
import ssl
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

import httpx
from django.conf import settings

from . import addresses, outgoing

MAXIMUM_BYTES = 64 * 1024


class TooLong(Exception):
    """The answer had more bytes than we read."""


@dataclass(frozen=True)
class Answer:
    """An HTTP answer as it came: status and raw body of at most 64 KiB."""

    status: int
    body: bytes


@cache
def _tls() -> ssl.SSLContext:
    # A context costs 13 ms to build; sharing it makes a client cost 0.02 ms
    return ssl.create_default_context()


class PinnedTransport(httpx.AsyncHTTPTransport):
    """Connects to the address that was judged, with the name's Host and certificate."""

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Pin the request to its judged address and send it."""
        target = await addresses.resolve(str(request.url))
        request.extensions["sni_hostname"] = target.host
        request.url = request.url.copy_with(host=target.ip)
        return await super().handle_async_request(request)


async def post(
    url: str, *, body: bytes, headers: Mapping[str, str], reads: bool = False
) -> Answer:
    """POST bytes and return the answer; ``reads`` says that it changes nothing.

    One deadline (``MAYA_HTTP_SECONDS``) covers DNS, connection, request and body.
    Raises ``addresses.Refused`` before anything is sent, ``TimeoutError``,
    ``httpx.HTTPError``, ``OSError`` or ``TooLong``.
    """
    outgoing.judge(reads=reads)
    async with asyncio.timeout(settings.MAYA_HTTP_SECONDS):
        async with httpx.AsyncClient(
            transport=PinnedTransport(
                verify=_tls(), limits=httpx.Limits(max_keepalive_connections=0)
            ),
            timeout=settings.MAYA_HTTP_SECONDS,
            trust_env=False,
            follow_redirects=False,
        ) as client:
            request = client.build_request(
                "POST",
                url,
                content=body,
                headers={**headers, "accept-encoding": "identity"},
            )
            response = await client.send(request, stream=True)
            try:
                return Answer(response.status_code, await _capped(response))
            finally:
                await response.aclose()


async def _capped(response: httpx.Response) -> bytes:
    # Raw bytes: a decoder would turn a 194 KB bomb into 16 MB in its first chunk
    read = bytearray()
    async for chunk in response.aiter_raw():
        read += chunk
        if len(read) > MAXIMUM_BYTES:
            raise TooLong
    return bytes(read)
