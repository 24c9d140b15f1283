"""Final callbacks from an owner's system: seed 002, "Envía un callback final firmado".

Checked in the order 403 (signature, age, missing header, unknown run), 400 (body),
409 (never dispatched, or final); every one is stored raw with its verdict.
"""

import re
import time
import uuid
from dataclasses import dataclass
from typing import Any

from django.conf import settings

from maya.lib import canonical, signing, trace
from maya.lib.stored import storable

from .executors.answer import from_value, problem
from .models import AgentSecret, Callback, Run
from .steps import settle

MAXIMUM_BYTES = 64 * 1024
SIGNATURE = re.compile(r"v1=[0-9a-f]{64}")


@dataclass(frozen=True)
class Verdict:
    """How a callback is answered: HTTP status and stable code."""

    status: int
    code: str
    detail: str = ""


ACCEPTED = Verdict(200, "accepted")
FORBIDDEN = Verdict(403, "forbidden", "La firma no es válida para esta ejecución.")
TOO_LARGE = Verdict(400, "too_large", "El cuerpo supera 64 KiB.")


def receive(run_id: str, *, body: bytes, timestamp: str, signature: str) -> Verdict:
    """Judge a callback, apply it if it counts, store it either way."""
    verdict = _judge(run_id, body, timestamp, signature)
    Callback.objects.create(
        run_id=storable(run_id)[:64],
        body=body[:MAXIMUM_BYTES],
        timestamp=storable(timestamp)[:64],
        signature=storable(signature)[:200],
        status=verdict.status,
        code=verdict.code,
    )
    return verdict


def _judge(run_id: str, body: bytes, timestamp: str, signature: str) -> Verdict:
    if len(body) > MAXIMUM_BYTES:
        return TOO_LARGE
    run = _run(run_id)
    if not _is_fresh(timestamp) or not _is_signed(run, body, timestamp, signature):
        return FORBIDDEN
    if run is None:
        return FORBIDDEN
    try:
        value = canonical.strict_loads(body)
    except canonical.NotJSON as error:
        return Verdict(400, "bad_json", str(error))
    wrong = problem(value, "done", "failed", run_id=True)
    if wrong:
        return Verdict(400, "bad_body", wrong)
    if value.get("runId", str(run.pk)) != str(run.pk):
        return Verdict(400, "run_mismatch", "runId no es el de la ruta.")
    return _apply(run, value)


def _run(run_id: str) -> Run | None:
    try:
        parsed = uuid.UUID(run_id)
    except ValueError:
        return None
    # Only the form that we sent: the signature is over that text
    return Run.objects.filter(pk=parsed).first() if str(parsed) == run_id else None


def _is_fresh(timestamp: str) -> bool:
    """Accept whole seconds within five minutes; milliseconds are far in the future."""
    if not re.fullmatch(r"[0-9]{1,12}", timestamp):
        return False
    drift = abs(time.time() - int(timestamp))
    return drift <= settings.MAYA_CALLBACK_TOLERANCE_SECONDS


def _is_signed(run: Run | None, body: bytes, timestamp: str, signature: str) -> bool:
    """Compare with every live secret of the site; the same work without a run."""
    secrets = (
        [secret.plain for secret in AgentSecret.objects.live(run.site_id)]
        if run
        else ["no such run"]
    )
    expected = [
        signing.callback_signature(secret, str(run.pk if run else ""), timestamp, body)
        for secret in secrets
    ]
    matched = signing.matches(signature, expected)
    return matched and run is not None and bool(SIGNATURE.fullmatch(signature))


def _apply(run: Run, value: dict[str, Any]) -> Verdict:
    outcome = from_value(value)
    with trace.span("callback", parent=run.trace, run=run.pk):
        moved = settle.conclude(run.pk, outcome, sources=settle.OUTSTANDING)
    if moved is not None:
        return ACCEPTED
    return Verdict(409, "wrong_state", "La ejecución ya terminó o nunca se envió.")
