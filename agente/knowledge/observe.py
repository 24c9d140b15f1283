"""Keeps found passages as evidence, and reads them again at dispatch."""

from typing import Any

from acciones.models import Conversation, Evidence
from acciones.readers import FOUND, NOT_FOUND, Reading
from agente.evidence import POLICY
from agente.models import Passage, Turn
from maya.lib import canonical, rows

SOURCE = "política"


def observe(turn: Turn, passages: list[Passage]) -> list[Evidence]:
    """Store the passages of one search, the best first, as evidence."""
    return [
        Evidence.objects.create(
            conversation_id=turn.conversation_id,
            turn_id=turn.pk,
            kind=POLICY,
            source=SOURCE,
            reference=passage.reference,
            title=_title(passage),
            quote=passage.text,
            observed=_observed(passage),
            fingerprint=canonical.sha256(_observed(passage)),
            query={
                "policy": passage.policy.slug,
                "section": passage.section,
                "rank": rank,
            },
        )
        for rank, passage in enumerate(passages)
    ]


def _title(passage: Passage) -> str:
    heading = f": {passage.heading}" if passage.heading else ""
    return f"{passage.title}, sección {passage.section}{heading}"[:300]


def _observed(passage: Passage) -> dict[str, Any]:
    return {"reference": passage.reference, "text": passage.text}


async def read_again(evidence: Evidence) -> Reading:
    """Return the passage as it is in force now, or that it no longer is."""
    return await rows.in_thread(_reading, evidence)


def _reading(evidence: Evidence) -> Reading:
    conversation = Conversation.objects.get(pk=evidence.conversation_id)
    passage = (
        Passage.objects.filter(
            policy__site_id=conversation.site_id,
            policy__slug=evidence.query.get("policy", ""),
            policy__enabled=True,
            section=evidence.query.get("section", ""),
            current=True,
        )
        .select_related("policy")
        .first()
    )
    if passage is None:
        return Reading(NOT_FOUND)
    observed = _observed(passage)
    return Reading(FOUND, observed, fingerprint=canonical.sha256(observed))
