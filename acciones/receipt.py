"""Receipts: what a customer sees of a run; only ``done`` looks done."""

from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import override

from . import tokens
from .models import Run
from .offered import offered

UNCONFIRMED = "No pudimos confirmar"


def related() -> list[str]:
    """Return what ``receipt`` needs selected, for one query instead of many."""
    return ["action", "proposal", "conversation", "site"]


def word(run: Run) -> str:
    """Return the state in the reader's words; an uncertain failure says just that."""
    if run.state == Run.State.FAILED and run.certain is False:
        return _("No pudimos confirmar")
    return _(str(Run.State(run.state).label))


def receipt(
    run: Run, *, language: str = "es", can_confirm: bool = False
) -> dict[str, Any]:
    """Return the receipt; with ``can_confirm`` also the token while it is on offer."""
    with override(language):
        evidence = list(run.proposal.evidence.all())
        return {
            **offered(run, run.proposal, evidence),
            "state": run.state,
            "word": word(run),
            "final": run.is_final,
            "rehearsal": run.conversation.rehearsal,
            "certain": run.certain,
            "reason": run.reason or None,
            "message": run.message,
            "reference": run.reference,
            "card": run.card,
            "effect": run.effect or None,
            "digest": run.digest,
            "created": _iso(run.created),
            "confirmed_at": _iso(run.confirmed_at),
            "decided_at": _iso(run.decided_at),
            "finished_at": _iso(run.finished_at),
            "confirmation": _confirmation(run) if can_confirm else None,
        }


def _confirmation(run: Run) -> dict[str, Any] | None:
    if run.state != Run.State.REQUESTED or run.conversation.rehearsal:
        return None
    return {"token": tokens.issue(run), "expires_at": _iso(run.expires_at)}


def _iso(moment: datetime | None) -> str | None:
    return moment.isoformat() if moment else None
