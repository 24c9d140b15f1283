"""The HTTP client of model providers: judged addresses, our time-outs, no redirects."""

import httpx2

from maya.lib.mcp import PinnedTransport

TIMEOUT = httpx2.Timeout(10, read=60)
"""Seconds to connect, and of silence: a stream that says nothing is a cut one."""
KEPT_CLIENTS = 64
"""Providers' clients kept open per process, by address and key."""


def client() -> httpx2.AsyncClient:
    """Return a client that lives on the process's background loop."""
    return httpx2.AsyncClient(
        transport=PinnedTransport(),
        timeout=TIMEOUT,
        trust_env=False,
        follow_redirects=False,
    )
