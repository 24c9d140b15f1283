"""Verify what Maya signed, and sign what Maya will verify."""

import time
from hashlib import sha256
from hmac import compare_digest
from hmac import new as hmac

REQUEST = b"maf-webhook-v1:"
CALLBACK = b"maf-callback-v1:"
TOLERANCE = 300
"""Seconds a timestamp may be away from our clock, in either direction."""


def is_genuine(secret: str, timestamp: bytes, signature: bytes, body: bytes) -> bool:
    """Tell whether the raw body carries a fresh signature made with our secret.

    Everything is compared as bytes: `compare_digest` raises on a non-ASCII str, and
    a forged header would then be a 500 instead of a refusal.
    """
    expected = b"v1=" + _hex(secret, REQUEST + timestamp + b"." + body)
    return compare_digest(expected, signature) and is_fresh(timestamp)


def is_fresh(timestamp: bytes) -> bool:
    """Tell whether unix seconds lie within the tolerance."""
    if not timestamp.isdigit() or len(timestamp) > 12:
        return False
    return abs(time.time() - int(timestamp)) <= TOLERANCE


def sign_callback(secret: str, run_id: str, timestamp: str, body: bytes) -> str:
    """Sign the final answer of one run; it is worth nothing for another run."""
    signed = CALLBACK + f"{run_id}:{timestamp}.".encode() + body
    return "v1=" + _hex(secret, signed).decode()


def _hex(secret: str, message: bytes) -> bytes:
    return hmac(secret.encode(), message, sha256).hexdigest().encode()
