"""Revalidate: whether the world still looks like what was approved."""

import asyncio
from dataclasses import dataclass, field

from acciones import content
from acciones.models import Action, ActionVersion, Decision, Evidence, Run
from acciones.readers import FOUND, UNKNOWN, Reading, read_again
from maya.lib import background, canonical


@dataclass(frozen=True)
class Verdict:
    """``fine``, ``unverifiable`` for now, or refused with a certain ``reason``."""

    fine: bool = False
    unverifiable: bool = False
    reason: str = ""
    changed: list[tuple[Evidence, Reading]] = field(default_factory=list)


def revalidate(run: Run) -> Verdict:
    """Judge a run before its first attempt: rows first, then the evidence anew."""
    reason = _rows_refuse(run)
    if reason:
        return Verdict(reason=reason)
    evidence = list(run.proposal.evidence.all())
    if not evidence:
        return Verdict(fine=True)
    readings = background.run(_read_all(evidence))
    pairs = list(zip(evidence, readings, strict=True))
    if any(reading.status == UNKNOWN for _, reading in pairs):
        return Verdict(unverifiable=True)
    if any(
        reading.status != FOUND or reading.fingerprint != item.fingerprint
        for item, reading in pairs
    ):
        return Verdict(reason="stale", changed=pairs)
    return Verdict(fine=True)


async def _read_all(evidence: list[Evidence]) -> list[Reading]:
    return await asyncio.gather(*(read_again(item) for item in evidence))


def _rows_refuse(run: Run) -> str:
    """Check what our own rows say; returns the reason to refuse, or nothing."""
    if not run.action.enabled or not run.action.connection.enabled:
        return "disabled"
    if run.action.version != run.proposal.version or not _as_published(run.action):
        return "version_changed"
    digests = {run.digest, run.proposal.digest, content.digest_of(run, run.proposal)}
    if len(digests) != 1 or run.consent.digest != run.digest:
        return "digest_mismatch"
    if run.needs_owner and not _still_approved(run):
        return "decision_invalid"
    return ""


def _as_published(action: Action) -> bool:
    """Say whether the action still means what was published: its address included.

    Whatever edited a row without publishing, nobody approved what it says now.
    """
    published = ActionVersion.objects.get(action=action, number=action.version)
    return published.fingerprint == canonical.sha256(action.meaning())


def _still_approved(run: Run) -> bool:
    """Count approvals by people who may still approve, of exactly this content."""
    valid = [
        decision
        for decision in run.decisions.select_related("member__user")
        if decision.verdict == Decision.Verdict.APPROVE
        and decision.digest == run.digest
        and decision.member is not None
        and decision.member.may_decide
        and decision.member.user.is_active
    ]
    return len(valid) >= run.quorum
