"""Chooses the evidence of a proposal: code does, among this conversation's rows."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db.models import Q, QuerySet
from django.db.models.functions import Now

from acciones.models import Action, Conversation, Evidence

POLICY, LOOKUP, STATEMENT = "policy", "lookup", "statement"


def gather(
    conversation: Conversation, action: Action, arguments: dict[str, Any]
) -> list[Evidence]:
    """Return the evidence that a proposal of this action rests on.

    For each required kind the newest fitting row: a reading of the very record that
    would change, the passage that answered best; and what the customer said about
    it. A reading counts for as long as a proposal would; what is missing is left to
    ``propose`` to refuse.
    """
    fresh = Evidence.objects.filter(
        conversation=conversation,
        created__gt=Now() - timedelta(seconds=settings.MAYA_PROPOSAL_SECONDS),
    ).order_by("-created")
    target = _target(action, arguments)
    chosen: dict[Any, Evidence] = {}
    for required in action.evidence_kinds:
        for item in _fitting(fresh, required, target, arguments):
            chosen[item.pk] = item
            break
    if STATEMENT not in action.evidence_kinds:
        chosen |= {item.pk: item for item in _statements(fresh, target)}
    return list(chosen.values())


def _target(action: Action, arguments: dict[str, Any]) -> str:
    value = arguments.get(action.target_input, "") if action.target_input else ""
    return f"{action.target_kind}:{value}" if value else ""


def _fitting(
    fresh: QuerySet[Evidence],
    required: str,
    target: str,
    arguments: dict[str, Any],
) -> Iterator[Evidence]:
    kind, _, source = required.partition(":")
    rows = fresh.filter(kind=kind)
    if source:
        rows = rows.filter(source=source)
    if kind == POLICY:
        # Rank 0 is the passage that answered the question best
        yield from rows.filter(query__rank=0)
    elif kind == LOOKUP:
        for item in sorted(rows, key=lambda item: item.reference != target):
            if not _contradicts(item, arguments):
                yield item
    else:
        yield from _statements(rows, target)


def _contradicts(item: Evidence, arguments: dict[str, Any]) -> bool:
    """Say whether a reading was made with other values than would be changed."""
    asked = item.query.get("arguments", {})
    return any(
        str(asked[name]) != str(value)
        for name, value in arguments.items()
        if name in asked
    )


def _statements(rows: QuerySet[Evidence], target: str) -> Iterator[Evidence]:
    """Yield the newest statement on each question about this record."""
    seen = set()
    about = Q(query__about=target) | Q(query__about="")
    for item in rows.filter(about, kind=STATEMENT):
        if item.query.get("fact") not in seen:
            seen.add(item.query.get("fact"))
            yield item
