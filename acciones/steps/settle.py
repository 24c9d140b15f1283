"""Settle: what an answer, a callback, a lost lease or a failed check makes of a run."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import connection
from psycopg.types.json import Jsonb

from acciones import events
from acciones.executors.answer import Outcome
from acciones.models import Run
from maya.lib import wake

MAXIMUM_ATTEMPTS = 3
NOTICE = """
INSERT INTO acciones_notice (run_id, kind, created)
SELECT id, 'uncertain', clock_timestamp() FROM moved ON CONFLICT DO NOTHING
"""
OUTSTANDING = (Run.State.RUNNING, Run.State.PENDING, Run.State.UNKNOWN)

CLOSE_ATTEMPT = """
UPDATE acciones_attempt SET verdict = %(verdict)s, finished = clock_timestamp(),
    status_code = %(status_code)s, answer = %(answer)s, detail = %(detail)s,
    sent_headers = %(sent)s
WHERE run_id = %(run)s AND number = %(number)s AND verdict = ''
"""


def record(
    run_id: UUID | str, number: int, outcome: Outcome, sent: dict[str, str]
) -> None:
    """Store an attempt's outcome; what the run makes of it is another matter."""
    with connection.cursor() as cursor:
        cursor.execute(CLOSE_ATTEMPT, _attempt(run_id, number, outcome, sent))


def _attempt(
    run_id: UUID | str, number: int, outcome: Outcome, sent: dict[str, str]
) -> dict[str, Any]:
    return {
        "run": run_id,
        "number": number,
        "verdict": outcome.verdict,
        "status_code": outcome.status_code,
        "answer": outcome.answer,
        "detail": outcome.detail[:300],
        "sent": Jsonb(sent),
    }


def closing(
    run_id: UUID | str,
    number: int,
    outcome: Outcome,
    sent: dict[str, str],
    *,
    only_if: str = "",
) -> dict[str, Any]:
    """Return what makes a transition close an attempt in its own statement."""
    return {
        "also": {"closed": f"{CLOSE_ATTEMPT} {only_if} RETURNING 1"},
        "params": _attempt(run_id, number, outcome, sent),
    }


def answered(
    row: dict[str, Any], outcome: Outcome, sent: dict[str, str], *, retries: bool = True
) -> bool:
    """Apply an attempt's outcome; False when somebody settled the run before.

    ``row`` is the run as ``begin`` left it. A definite answer is taken even after
    the lease was lost; anything else only from the attempt that is still ours.
    """
    number = row["attempts"]
    closes = closing(row["id"], number, outcome, sent)
    moved = _apply(row, number, outcome, retries, closes)
    if moved is None:
        record(row["id"], number, outcome, sent)
    return moved is not None


def _apply(
    row: dict[str, Any],
    number: int,
    outcome: Outcome,
    retries: bool,
    closing: dict[str, Any],
) -> dict[str, Any] | None:
    if outcome.verdict in {"done", "failed"}:
        # Also over a "pending" that an overlapping attempt was answered
        return conclude(row["id"], outcome, sources=OUTSTANDING, **closing)
    if outcome.verdict == "pending":
        sources = [Run.State.RUNNING, Run.State.UNKNOWN]
        return conclude(row["id"], outcome, sources=sources, **closing)
    if outcome.verdict == "refused":
        # A 4xx says nothing about an earlier attempt whose answer was lost
        return fail(
            row["id"],
            reason="refused",
            certain=number == 1,
            message=outcome.message,
            where="AND attempts = %(number)s",
            **closing,
        )
    if not retries or number >= MAXIMUM_ATTEMPTS:
        return fail(
            row["id"],
            reason="exhausted",
            certain=False,
            where="AND attempts = %(number)s",
            **closing,
        )
    return doubt(row["id"], number, where="AND attempts = %(number)s", **closing)


def conclude(
    run_id: UUID | str,
    outcome: Outcome,
    *,
    sources: Sequence[str],
    effect: str = Run.Effect.CLAIMED,
    params: dict[str, Any] | None = None,
    also: dict[str, str] | None = None,
) -> dict[str, Any] | None:
    """Apply a schema-valid answer: done, pending, or a failure its owner knows of."""
    done, failed = outcome.verdict == "done", outcome.verdict == "failed"
    final = done or failed
    payload: dict[str, Any] = {
        "status": outcome.verdict,
        "message": outcome.message,
        "reference": outcome.reference,
        "card": outcome.card,
    }
    if done:
        payload["effect"] = str(effect)
    if failed:
        payload |= {"certain": True, "reason": "answered"}
    row = events.transition(
        run_id,
        to=outcome.verdict,
        sources=sources,
        where="AND attempts > 0",
        sets={
            "message": "%(message)s",
            "reference": "%(reference)s",
            "card": "%(card)s",
            "effect": "%(effect)s",
            "certain": "TRUE" if final else "NULL",
            "reason": "'answered'" if failed else "''",
            "finished_at": "clock_timestamp()" if final else "NULL",
            "lease_until": "NULL",
            "due_at": "NULL",
        },
        params={
            **(params or {}),
            "message": outcome.message,
            "reference": outcome.reference,
            "card": Jsonb(outcome.card) if outcome.card is not None else None,
            "effect": effect if done else "",
        },
        also=also,
        type="run.status",
        payload=payload,
    )
    if row is not None and done and effect == Run.Effect.CLAIMED:
        wake.task("acciones.verify", str(run_id))
    return row


def fail(
    run_id: UUID | str,
    *,
    reason: str,
    certain: bool,
    message: str = "",
    where: str = "",
    params: dict[str, Any] | None = None,
    also: dict[str, str] | None = None,
) -> dict[str, Any] | None:
    """End a running or unknown run without success; tell the owner when in doubt."""
    row = events.transition(
        run_id,
        to=Run.State.FAILED,
        sources=[Run.State.RUNNING, Run.State.UNKNOWN],
        where=where,
        sets={
            "certain": "%(certain)s",
            "reason": "%(reason)s",
            "message": "%(message)s",
            "finished_at": "clock_timestamp()",
            "lease_until": "NULL",
            "due_at": "NULL",
        },
        params={
            **(params or {}),
            "certain": certain,
            "reason": reason,
            "message": message,
        },
        also=(also or {}) | ({} if certain else {"notice": NOTICE}),
        type="run.status",
        payload={"status": Run.State.FAILED, "reason": reason, "certain": certain},
    )
    if row is not None and not certain:
        wake.task("acciones.tell_owner", str(run_id))
    return row


def doubt(
    run_id: UUID | str,
    step: int,
    *,
    where: str = "",
    reads: int = 0,
    params: dict[str, Any] | None = None,
    also: dict[str, str] | None = None,
) -> dict[str, Any] | None:
    """Leave a run unknown, due again after the delay of this step (1, then 5 min)."""
    row = events.transition(
        run_id,
        to=Run.State.UNKNOWN,
        sources=[Run.State.RUNNING],
        where=where,
        sets={
            "due_at": "clock_timestamp() + make_interval(secs => %(delay)s)",
            "lease_until": "NULL",
            "reads": "%(reads)s",
        },
        params={**(params or {}), "delay": delay(step), "reads": reads},
        also=also,
        type="run.status",
        payload={"status": Run.State.UNKNOWN},
    )
    _punctual(run_id, delay(step), row)
    return row


def postpone(row: dict[str, Any], step: int) -> dict[str, Any] | None:
    """Put a run back in the queue whose evidence could not be read again."""
    moved = events.transition(
        row["id"],
        to=Run.State.QUEUED,
        sources=[Run.State.RUNNING],
        where="AND lease_until = %(held)s",
        sets={
            "due_at": "clock_timestamp() + make_interval(secs => %(delay)s)",
            "lease_until": "NULL",
            "reads": "reads + 1",
        },
        params={"held": row["lease_until"], "delay": delay(step)},
        type="run.status",
        payload={"status": Run.State.QUEUED, "reason": "unverifiable"},
    )
    _punctual(row["id"], delay(step), moved)
    return moved


def delay(step: int) -> float:
    """Return the seconds to wait after the n-th try (1 and 5 minutes)."""
    delays = settings.MAYA_RETRY_DELAYS
    return float(delays[min(step, len(delays)) - 1])


def _punctual(run_id: UUID | str, seconds: float, row: dict[str, Any] | None) -> None:
    if row is not None:
        wake.task_after(seconds, "acciones.dispatch", str(run_id))
