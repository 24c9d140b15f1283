"""How the owner API writes runs and actions: the receipt, and what owners see."""

from typing import Any

from acciones.models import Action, Attempt, Customer, Decision, Member, Run
from acciones.receipt import receipt, related
from maya.lib.shown import visible

RELATED = [*related(), "proposal__customer"]
PREFETCHED = ["proposal__evidence", "decisions"]


def run(row: Run, *, member: Member, language: str) -> dict[str, Any]:
    """Return a run as its site's members see it.

    Expects ``RELATED`` selected and ``PREFETCHED`` prefetched.
    """
    body = receipt(row, language=language)
    del body["confirmation"]
    decisions = sorted(row.decisions.all(), key=lambda d: d.created)
    return {
        **body,
        "version": row.proposal.version,
        "customer": _customer(row.proposal.customer),
        "quorum": row.quorum,
        "approvals": row.approvals,
        "attempts": row.attempts,
        "may_decide": _may_decide(row, member, decisions),
        "decisions": [_decision(decision) for decision in decisions],
    }


def _may_decide(row: Run, member: Member, decisions: list[Decision]) -> bool:
    person = row.proposal.customer
    is_own = person is not None and member.customer_id == person.external_id
    decided = any(decision.member_id == member.pk for decision in decisions)
    waits = row.state == Run.State.AWAITING_OWNER
    return waits and member.may_decide and not decided and not is_own


def _customer(person: Customer | None) -> dict[str, str] | None:
    """Return who asked; ``id`` is what the site signed, the rest is for display."""
    if person is None:
        return None
    return {
        "id": person.external_id,
        "shown": visible(person.name or person.external_id),
        "email": visible(person.email),
    }


def _decision(decision: Decision) -> dict[str, str]:
    return {
        "who": decision.member_name,
        "verdict": decision.verdict,
        "surface": decision.surface,
        "reason": decision.reason,
        "digest": decision.digest,
        "created": decision.created.isoformat(),
    }


def attempt(row: Attempt) -> dict[str, Any]:
    """Return one dispatch without its bytes, which the admin shows redacted."""
    return {
        "number": row.number,
        "started": row.started.isoformat(),
        "finished": row.finished.isoformat() if row.finished else None,
        "status_code": row.status_code,
        "verdict": row.verdict or None,
        "detail": visible(row.detail),
    }


def action(row: Action) -> dict[str, Any]:
    """Return an action as it is defined; never a secret of its connection."""
    return {
        "id": row.pk,
        "name": row.name,
        "tool": row.tool_name,
        "title": row.title,
        "kind": row.kind,
        "description": row.description,
        "enabled": row.enabled,
        "version": row.version,
        "approval": row.approval,
        "conditions": row.conditions,
        "quorum": row.quorum,
        "requires_customer": row.requires_customer,
        "inputs": row.inputs,
        "input_schema": row.input_schema,
        "target": {"kind": row.target_kind, "input": row.target_input},
        "money": row.money or None,
        "evidence_kinds": row.evidence_kinds,
        "connection": {
            "name": row.connection.name,
            "kind": row.connection.kind,
            "enabled": row.connection.enabled,
        },
    }
