"""What an action looks like from outside, and how it came to be what it is."""

import json
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _

from acciones import content, inputs
from acciones.executors.webhook import url_of
from acciones.models import Action, ActionVersion
from maya.lib.shown import visible

from . import wording

SHOWN = 20
SAMPLE_RUN = "c5c1d94b-e88f-4bf6-8023-2dcd1e7ac67b"


@dataclass(frozen=True)
class Change:
    """One field of a version that differs from the version before."""

    field: str
    before: str
    after: str


@dataclass(frozen=True)
class Published:
    """One version: who published it, when, and what it changed."""

    number: int
    at: datetime
    who: str
    changes: list[Change]


def history(action: Action) -> list[Published]:
    """Return the newest versions, each with what it changed: one query."""
    rows = ActionVersion.objects.filter(action=action).select_related("published_by")
    found = list(rows.order_by("-number")[: SHOWN + 1])
    older: list[ActionVersion | None] = [*found[1:], None]
    return [_published(*pair) for pair in zip(found, older, strict=True)][:SHOWN]


def _published(version: ActionVersion, before: ActionVersion | None) -> Published:
    who = version.published_by
    return Published(
        number=version.number,
        at=version.published,
        who=visible(who.get_username()) if who else "",
        changes=changes(before.content, version.content) if before else [],
    )


def changes(before: dict[str, Any], after: dict[str, Any]) -> list[Change]:
    """Return the fields that differ, as a person can read them."""
    names = [*after, *(name for name in before if name not in after)]
    return [
        Change(name, _sorted(before.get(name)), _sorted(after.get(name)))
        for name in names
        if before.get(name) != after.get(name)
    ]


def _sorted(value: Any) -> str:
    # The database keeps keys in an order of its own: no difference worth showing
    return _text(value, sort_keys=True)


def _text(value: Any, *, sort_keys: bool = False) -> str:
    if isinstance(value, str):
        return visible(value)
    text = json.dumps(value, ensure_ascii=False, indent=1, sort_keys=sort_keys)
    return "\n".join(visible(line) for line in text.split("\n"))


def tool(action: Action) -> str:
    """Return the tool as the model gets it."""
    shown = {
        "name": action.tool_name,
        "description": action.description,
        "parameters": inputs.model_schema(action),
    }
    return _text(shown)


def request(action: Action) -> str:
    """Return the request that a confirmed change would send, with sample values."""
    if action.kind != Action.Kind.CHANGE:
        return ""
    names = inputs.model_schema(action).get("properties", {})
    body = content.body(
        action,
        run_id=SAMPLE_RUN,
        site_public_id=action.site.public_id,
        values=dict.fromkeys(names, "…"),
        session=dict.fromkeys(action.bindings, "…"),
        customer={"id": "…"} if action.requires_customer else None,
        evidence=[],
    )
    if action.is_mcp:
        return wording.pretty(body)
    lines = [
        f"POST {visible(url_of(action))}",
        "content-type: application/json",
        _("x-maf-timestamp: <segundos>"),
        _("x-maf-signature: v1=<64 hexadecimales>"),
        f"x-maf-idempotency-key: {SAMPLE_RUN}",
        "",
        wording.pretty(body),
    ]
    return "\n".join(lines)
