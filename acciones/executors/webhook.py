"""Signed webhooks: the bytes that were stored, with a fresh signature each time."""

import time

import httpx

from acciones.errors import NoSecret
from acciones.models import Action, AgentSecret
from maya.lib import addresses, http, signing

from .answer import Outcome, from_http


def url_of(action: Action) -> str:
    """Return the full address of an action's endpoint."""
    return action.connection.url.rstrip("/") + "/" + action.path.lstrip("/")


def newest_secret(site_id: int) -> AgentSecret:
    """Return the secret that signs for a site; raises ``NoSecret`` without one."""
    secret = AgentSecret.objects.live(site_id).first()
    if secret is None:
        raise NoSecret
    return secret


def headers(secret: str, body: bytes, *, key: str = "") -> dict[str, str]:
    """Return the seed's headers for these bytes at this moment.

    Retries fall outside the receiver's tolerance of 300 s, so every attempt is
    signed anew; the key and the bytes stay the same.
    """
    timestamp = int(time.time())
    signed = {
        "content-type": "application/json",
        "x-maf-timestamp": str(timestamp),
        "x-maf-signature": signing.request_signature(secret, timestamp, body),
    }
    return signed | ({"x-maf-idempotency-key": key} if key else {})


async def change(url: str, body: bytes, sent: dict[str, str]) -> Outcome:
    """Send a change and judge the answer; never raises for what a network can do."""
    try:
        answer = await http.post(url, body=body, headers=sent)
    except addresses.Refused as error:
        # Nothing was sent: that much is certain
        return Outcome("refused", detail=str(error))
    except (TimeoutError, httpx.HTTPError, OSError, http.TooLong) as error:
        return Outcome("uncertain", detail=type(error).__name__)
    return from_http(answer.status, answer.body)
