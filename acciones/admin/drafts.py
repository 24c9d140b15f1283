"""Drafts: edits of a published action, kept until somebody publishes them.

An action's ``draft`` holds the form's fields as a browser sends them, and who wrote
them: ``{"fields": {name: text}, "page": id, "number": n, "who": name, "at": iso}``.
A draft changes nothing for anybody: only publishing reads it into the action.
"""

from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.http import QueryDict
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.formats import date_format
from django.utils.timezone import localtime

from acciones import audit
from acciones.models import Action
from maya.lib import canonical
from maya.lib.shown import visible

ETAG_LENGTH = 32
MOST_CHARACTERS = 64 * 1024


@dataclass(frozen=True)
class Kept:
    """What became of a save: ``conflict`` says that somebody else was first."""

    action: Action
    conflict: bool = False


def etag(action: Action) -> str:
    """Return what tells two states of an action apart, its draft included."""
    return canonical.sha256(audit.fields_of(action))[:ETAG_LENGTH]


def keep(
    pk: int, *, fields: dict[str, str], seen: str, page: str, number: int, who: str
) -> Kept:
    """Store a draft over exactly the state that its writer saw.

    The page that wrote last may go on without having heard the answer; a save of
    it that was overtaken on the way by a later one changes nothing.
    """
    with transaction.atomic():
        action = Action.objects.select_for_update().get(pk=pk)
        draft = action.draft
        is_same_page = bool(page) and draft.get("page") == page
        if is_same_page and number <= draft["number"]:
            return Kept(action)
        if draft.get("fields") == fields:
            return Kept(action)
        if etag(action) != seen and not is_same_page:
            return Kept(action, conflict=True)
        action.draft = {
            "fields": fields,
            "page": page,
            "number": number,
            "who": who,
            "at": timezone.now().isoformat(),
        }
        action.save(update_fields=["draft"])
    return Kept(action)


def drop(pk: int, *, seen: str) -> bool:
    """Throw a draft away, if it is the one that was seen."""
    with transaction.atomic():
        action = Action.objects.select_for_update().get(pk=pk)
        if etag(action) != seen:
            return False
        action.draft = {}
        action.save(update_fields=["draft"])
    return True


def fields_of(action: Action) -> QueryDict | None:
    """Return the draft as a form's data, or nothing."""
    if not action.draft.get("fields"):
        return None
    data = QueryDict(mutable=True)
    for name, value in action.draft["fields"].items():
        data[name] = value
    return data


def said(action: Action) -> dict[str, str]:
    """Return who wrote the draft and when, as a person reads it."""
    moment = parse_datetime(action.draft.get("at", ""))
    return {
        "who": visible(action.draft.get("who", "")),
        "at": date_format(localtime(moment), "SHORT_DATETIME_FORMAT") if moment else "",
    }


def is_draft(value: Any) -> bool:
    """Say whether decoded JSON is a form's fields: texts by name, not too long."""
    return (
        isinstance(value, dict)
        and all(isinstance(text, str) for text in value.values())
        and sum(len(name) + len(text) for name, text in value.items())
        <= MOST_CHARACTERS
    )
