"""Confirm: the customer's yes to exactly what was on screen."""

from uuid import UUID

from django.conf import settings
from django.db import IntegrityError, transaction

from acciones import events, tokens
from acciones.errors import (
    AlreadyInProgress,
    CustomerChanged,
    NotFound,
    RehearsalInert,
)
from acciones.models import Run, Visitor
from maya.lib import trace, wake

from .lost import explain

CONSENT = """
INSERT INTO acciones_consent (run_id, visitor_id, surface, digest, created)
SELECT id, visitor_id, %(surface)s, digest, clock_timestamp() FROM moved
"""


def confirm(run_id: UUID | str, visitor: Visitor, *, token: object) -> Run:
    """Confirm with the token of this run, site and visitor; returns the run.

    Raises ``NotFound`` for any run or token that is not this visitor's, ``Expired``
    (and commits the expiry), ``AlreadyInProgress``, ``CustomerChanged`` or
    ``WrongState``.
    """
    run = _own(run_id, visitor)
    if not tokens.belongs(token, run):
        raise NotFound
    return accept(run, visitor, surface="card")


def accept(run: Run, visitor: Visitor, *, surface: str) -> Run:
    """Move an offered run on; shared by the card's token and a surface's offer."""
    with trace.span("confirm", parent=run.trace, run=run.pk):
        return _accept(run, visitor, surface)


def _accept(run: Run, visitor: Visitor, surface: str) -> Run:
    if run.conversation.rehearsal:
        raise RehearsalInert
    if run.proposal.customer_id != visitor.customer_id:
        raise CustomerChanged
    try:
        with transaction.atomic():
            row = _move(run, visitor, surface)
    except IntegrityError as error:
        if "run_one_in_progress" not in str(error):
            raise
        raise AlreadyInProgress(state=run.state) from error
    if row is None:
        explain(run.pk)
    if row["state"] == Run.State.QUEUED:
        wake.task("acciones.dispatch", str(run.pk))
    run.refresh_from_db()
    return run


def _own(run_id: UUID | str, visitor: Visitor) -> Run:
    run = (
        Run.objects.select_related("proposal", "conversation")
        .filter(pk=run_id, visitor=visitor)
        .first()
    )
    if run is None:
        raise NotFound
    return run


def _move(run: Run, visitor: Visitor, surface: str) -> dict[str, object] | None:
    return events.transition(
        run.pk,
        sources=[Run.State.REQUESTED],
        where="AND visitor_id = %(visitor)s AND digest = %(digest)s "
        "AND expires_at > clock_timestamp()",
        sets={
            "state": "CASE WHEN needs_owner THEN 'awaiting_owner' ELSE 'queued' END",
            "confirmed_at": "clock_timestamp()",
            "due_at": "CASE WHEN needs_owner THEN NULL ELSE clock_timestamp() END",
            "expires_at": "clock_timestamp() + make_interval(secs => %(decision)s)",
        },
        params={
            "visitor": visitor.pk,
            "digest": run.proposal.digest,
            "decision": settings.MAYA_DECISION_SECONDS,
            "surface": surface,
        },
        also={"consent": CONSENT},
        type="run.status",
        payload={"status": Run.State.QUEUED},
        payload_more="jsonb_build_object('status', moved.state)",
    )
