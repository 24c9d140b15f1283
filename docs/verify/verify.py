"""Verify what Maya sends to your endpoint, and send Maya your signed callbacks.

Copy this file: it needs the standard library alone. `secrets` are the live secrets of
your agent; during a rotation there are two.

    AGENT_SECRET=… python verify.py request TIMESTAMP SIGNATURE < body
    AGENT_SECRET=… python verify.py callback https://MAYA RUN_ID < answer.json
"""

import hashlib
import hmac
import json
import os
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote

TOLERANCE = 300  # seconds, in either direction


def sign(secret: str, signed: bytes) -> bytes:
    """Return a signature as the header carries it."""
    digest = hmac.new(secret.encode(), signed, hashlib.sha256)
    return b"v1=" + digest.hexdigest().encode()


def is_genuine(
    secrets: Sequence[str],
    timestamp: str,
    signature: str,
    raw_body: bytes,
    *,
    now: float | None = None,
) -> bool:
    """Tell whether a request is from Maya and fresh. Give it the bytes as they came."""
    if not (timestamp.isascii() and timestamp.isdigit() and len(timestamp) <= 12):
        return False
    if abs((time.time() if now is None else now) - int(timestamp)) > TOLERANCE:
        return False
    signed = b"maf-webhook-v1:" + timestamp.encode() + b"." + raw_body
    given = signature.encode("utf-8", "surrogateescape")
    # Bytes, because compare_digest raises on a str that is not ASCII.
    good = [hmac.compare_digest(sign(secret, signed), given) for secret in secrets]
    return any(good)


def read_change(
    headers: Mapping[str, str],
    raw_body: bytes,
    secrets: Sequence[str],
    *,
    site_id: str,
    action: str,
) -> dict[str, Any]:
    """Return the change of a genuine request; ValueError means: answer 4xx, do nothing.

    Then check that the record belongs to `change["customer"]`, and write the change and
    `change["runId"]` in one transaction: a key that you have seen gets its old answer.
    """
    given = {name.lower(): value for name, value in headers.items()}
    timestamp = given.get("x-maf-timestamp", "")
    if not is_genuine(secrets, timestamp, given.get("x-maf-signature", ""), raw_body):
        raise ValueError("signature")
    change: dict[str, Any] = json.loads(raw_body)
    if (change.get("siteId"), change.get("action")) != (site_id, action):
        raise ValueError("site or action")
    # The header is not signed; the ids in the body are.
    key = given.get("x-maf-idempotency-key")
    if not key or not change.get("runId") == change.get("requestId") == key:
        raise ValueError("key")
    return change


def sign_callback(secret: str, run_id: str, timestamp: str, raw_body: bytes) -> str:
    """Return the signature of one run's final answer."""
    signed = f"maf-callback-v1:{run_id}:{timestamp}.".encode() + raw_body
    return sign(secret, signed).decode()


def send_callback(maya: str, run_id: str, secret: str, raw_body: bytes) -> int:
    """Post the final answer ({"status": "done" or "failed", …}); return the status."""
    timestamp = str(int(time.time()))
    request = urllib.request.Request(
        f"{maya.rstrip('/')}/api/agent/actions/{quote(run_id, safe='')}/callback",
        data=raw_body,
        headers={
            "content-type": "application/json",
            "x-maf-timestamp": timestamp,
            "x-maf-signature": sign_callback(secret, run_id, timestamp, raw_body),
        },
    )
    try:
        with urllib.request.urlopen(request, timeout=15) as response:
            return int(response.status)
    except urllib.error.HTTPError as refused:
        refused.close()
        return refused.code


def main(arguments: list[str]) -> int:
    """Verify or send what comes in on standard input; exit with 0 if it is good."""
    secret = os.environ.get("AGENT_SECRET")
    match arguments:
        case ["request", timestamp, signature] if secret:
            good = is_genuine([secret], timestamp, signature, sys.stdin.buffer.read())
            print("genuine" if good else "refused")
            return 0 if good else 1
        case ["callback", maya, run_id] if secret:
            status = send_callback(maya, run_id, secret, sys.stdin.buffer.read())
            print(status)
            return 0 if status == 200 else 1
    print(__doc__, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
