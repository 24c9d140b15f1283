"""The seed's signatures: HMAC-SHA256 over a namespace, a timestamp and raw bytes.

Source: seed 002 ("Qué recibe tu endpoint", "Envía un callback final firmado").
"""

import hashlib
import hmac
from collections.abc import Iterable

PREFIX = b"v1="


def _sign(secret: str, message: bytes) -> str:
    digest = hmac.new(secret.encode(), message, hashlib.sha256).hexdigest()
    return f"v1={digest}"


def request_signature(secret: str, timestamp: int | str, body: bytes) -> str:
    """Sign what we send to an owner's endpoint: ``v1=<64 hex>``."""
    return _sign(secret, f"maf-webhook-v1:{timestamp}.".encode() + body)


def callback_signature(
    secret: str, run_id: str, timestamp: int | str, body: bytes
) -> str:
    """Sign what an owner's system sends us about one run: ``v1=<64 hex>``."""
    return _sign(secret, f"maf-callback-v1:{run_id}:{timestamp}.".encode() + body)


def matches(given: str, expected: Iterable[str]) -> bool:
    """Compare in constant time, as bytes; every candidate is looked at."""
    raw = given.encode("utf-8", "surrogateescape")
    found = False
    for candidate in expected:
        found |= hmac.compare_digest(raw, candidate.encode())
    return found
