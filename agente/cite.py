"""Citations: ``[returns-policy:section-3]`` in a text becomes a source to open."""

import re
from typing import Any

from acciones.models import Evidence
from agente.evidence import POLICY

from .models import Turn

MARK = re.compile(r"\s*\[([a-z0-9][a-z0-9_-]{0,63}:section-[\w.]{1,64})\]")


OPENED = re.compile(r"\s*\[[^\]\n]{0,130}$|\s+$")


def so_far(text: str) -> str:
    """Return what of an unfinished text can be shown: no mark, nor half of one."""
    return OPENED.sub("", MARK.sub("", text))


def cited(turn: Turn, text: str) -> tuple[str, list[dict[str, Any]]]:
    """Return the text without its marks, and the passages that they name.

    Only passages that were read in this conversation can be cited; any other mark
    is taken out: an invented source is no source.
    """
    names = list(dict.fromkeys(MARK.findall(text)))
    if not names:
        return text, []
    rows = Evidence.objects.filter(
        conversation_id=turn.conversation_id, kind=POLICY, reference__in=names
    )
    newest = {item.reference: item for item in rows.order_by("created")}
    sources = [_source(newest[name]) for name in names if name in newest]
    return MARK.sub("", text), sources


def _source(item: Evidence) -> dict[str, Any]:
    return {
        "reference": item.reference,
        "title": item.title,
        "section": item.query.get("section", ""),
        "quote": item.quote,
    }
