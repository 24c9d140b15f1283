"""Tell Maya the final result of a change that was pending, with our signature."""

import json
import time
import urllib.error
import urllib.request
from urllib.parse import quote

from demo.shop.config import Config
from demo.shop.signature import sign_callback

SECONDS = 15


def send(config: Config, run_id: str, answer: dict[str, object]) -> tuple[int, str]:
    """Post the final answer of a run; return Maya's status and body."""
    body = json.dumps(answer, ensure_ascii=False, separators=(",", ":")).encode()
    timestamp = str(int(time.time()))
    request = urllib.request.Request(
        f"{config.maya_url}/api/agent/actions/{quote(run_id, safe='')}/callback",
        data=body,
        headers={
            "content-type": "application/json",
            "x-maf-timestamp": timestamp,
            "x-maf-signature": sign_callback(config.secret, run_id, timestamp, body),
        },
    )
    try:
        with urllib.request.urlopen(request, timeout=SECONDS) as response:
            return response.status, response.read().decode("utf-8", "replace")
    except urllib.error.HTTPError as refused:
        with refused:
            return refused.code, refused.read().decode("utf-8", "replace")
