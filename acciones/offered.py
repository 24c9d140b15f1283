"""What a person is shown of one offered change, in full and without disguise."""

from collections.abc import Sequence
from typing import Any

from maya.lib.shown import visible

from .models import Evidence, Proposal, Run

DIGEST_SHOWN = 8


def offered(
    run: Run, proposal: Proposal, evidence: Sequence[Evidence]
) -> dict[str, Any]:
    """Return the card of a proposal: inputs, target, amount, evidence, digest."""
    return {
        "run_id": str(run.pk),
        "action": run.action.name,
        "title": run.action.title,
        "input": [
            _entry(name, proposal.input[name], _label(run, name))
            for name in _in_order(run, proposal)
        ],
        "target": {"kind": proposal.target_kind, "ref": visible(proposal.target_ref)},
        "amount": proposal.amount,
        "evidence": [_piece(item) for item in evidence],
        "digest_short": run.digest[:DIGEST_SHOWN],
        "approval": "owner" if run.needs_owner else "none",
        "expires_at": run.expires_at.isoformat(),
    }


def _in_order(run: Run, proposal: Proposal) -> list[str]:
    """Return the inputs as the owner declared them; jsonb keeps no order."""
    declared = [item["name"] for item in run.action.inputs]
    first = [name for name in declared if name in proposal.input]
    return first + [name for name in proposal.input if name not in first]


def _entry(name: str, value: Any, label: str) -> dict[str, Any]:
    text = value if isinstance(value, str) else _plain(value)
    return {"name": name, "label": label, "value": value, "shown": visible(text)}


def _plain(value: Any) -> str:
    if isinstance(value, bool):
        return "sí" if value else "no"
    return str(value)


def _label(run: Run, name: str) -> str:
    for item in run.action.inputs:
        if item["name"] == name:
            return str(item.get("label") or name)
    described = run.action.input_schema.get("properties", {}).get(name, {})
    return str(described.get("title") or name)


def _piece(item: Evidence) -> dict[str, Any]:
    return {
        key: visible(value) if key != "quote" else _quote(value)
        for key, value in item.shown().items()
    }


def _quote(text: str) -> str:
    # Line breaks are part of a quotation; everything else hidden is shown
    return "\n".join(visible(line) for line in text.splitlines())
