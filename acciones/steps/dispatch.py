"""Dispatch: revalidate, store the intent, send the stored bytes, settle the answer."""

import logging
from contextlib import suppress
from typing import Any
from uuid import UUID

from acciones.errors import MayaError, NoSecret
from acciones.executors import tool, webhook
from acciones.executors.answer import Outcome
from acciones.models import AgentSecret, Run
from maya.lib import background, outgoing, trace

from . import settle
from .ask import ask
from .claim import begin, claim
from .load import load
from .reoffer import offer_afresh, stands
from .revalidate import Verdict, revalidate

MAXIMUM_READS = 3

logger = logging.getLogger(__name__)


def dispatch(run_id: UUID | str) -> None:
    """Carry a due run one step on; nothing happens when nothing is due.

    Every path ends in a stored state. If the process dies on any line, the lease
    runs out and ``recover`` takes over.
    """
    row = claim(run_id)
    if row is None:
        return
    run = load(run_id)
    about = {"run": run.pk, "action": run.action.name}
    with (
        outgoing.closed(run.conversation.rehearsal),
        trace.span("dispatch", parent=run.trace, **about),
    ):
        if row["attempts"] == 0:
            _first(run, row)
        else:
            _again(run, row)


def _first(run: Run, row: dict[str, Any]) -> None:
    verdict = revalidate(run)
    if verdict.fine:
        _send(run, row)
    elif not verdict.unverifiable:
        _refuse(run, row, verdict)
    elif row["reads"] + 1 >= MAXIMUM_READS:
        _fail(row, "unverifiable")
    else:
        settle.postpone(row, row["reads"] + 1)


def _again(run: Run, row: dict[str, Any]) -> None:
    """After an uncertain attempt: never revalidate, ask first, else send again."""
    if not run.action.enabled or not run.action.connection.enabled:
        _fail(row, "disabled", certain=False)
        return
    known = ask(run)
    if known is not None and known.verdict == "uncertain":
        _keep_unknown(row)
    elif known is not None:
        settle.conclude(
            run.pk,
            known,
            sources=[Run.State.RUNNING, Run.State.UNKNOWN],
            effect=Run.Effect.VERIFIED,
        )
    elif row["attempts"] >= settle.MAXIMUM_ATTEMPTS:
        _fail(row, "exhausted", certain=False)
    else:
        _send(run, row)


def _send(run: Run, row: dict[str, Any]) -> None:
    row_begun = begin(row)
    if row_begun is None:
        return
    try:
        outcome, sent = _execute(run)
    except Exception as error:
        # Who knows how far it got: the same as no answer, and no later
        logger.exception("an attempt broke")
        outcome, sent = Outcome("uncertain", detail=type(error).__name__), {}
    repeats = not run.action.is_mcp or bool(run.action.key_place)
    settle.answered(row_begun, outcome, sent, retries=repeats)


def _execute(run: Run) -> tuple[Outcome, dict[str, str]]:
    body = bytes(run.proposal.body)
    if run.action.is_mcp:
        return background.run(tool.change(run.action.connection, body)), {}
    try:
        secret = webhook.newest_secret(run.site_id)
    except NoSecret as error:
        # Nothing was sent: that much is certain
        return Outcome("refused", detail=error.code), {}
    AgentSecret.objects.used(secret)
    sent = webhook.headers(secret.plain, body, key=str(run.pk))
    url = webhook.url_of(run.action)
    outcome = background.run(webhook.change(url, body, sent))
    return outcome, sent | {"x-maf-signature": "v1=…"}


def _fail(row: dict[str, Any], reason: str, *, certain: bool = True) -> None:
    settle.fail(
        row["id"],
        reason=reason,
        certain=certain,
        where="AND lease_until = %(held)s",
        params={"held": row["lease_until"]},
    )


def _keep_unknown(row: dict[str, Any]) -> None:
    """A failed ask uses no attempt, but asking for ever would never end."""
    reads = row["reads"] + 1
    if reads >= MAXIMUM_READS:
        _fail(row, "exhausted", certain=False)
        return
    settle.doubt(
        row["id"],
        reads + 1,
        reads=reads,
        where="AND lease_until = %(held)s",
        params={"held": row["lease_until"]},
    )


def _refuse(run: Run, row: dict[str, Any], verdict: Verdict) -> None:
    _fail(row, verdict.reason)
    if verdict.changed and all(stands(*pair) for pair in verdict.changed):
        with suppress(MayaError):  # what can't be proposed any more is not offered
            offer_afresh(run, verdict.changed, surface="stale")
