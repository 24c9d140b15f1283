"""Reads an update into what we use of it; anything else is nothing at all.

Shapes: https://core.telegram.org/bots/api#update. Texts come with hidden characters
made visible, so that nothing further in has to remember to.
"""

from dataclasses import dataclass
from typing import Any, TypeGuard

from maya.lib.shown import visible

ALLOWED = ["message", "callback_query"]
NAME_LENGTH = 200
PRIVATE = "private"


@dataclass(frozen=True)
class Person:
    """A Telegram account. Only ``id`` identifies: names are chosen and recycled."""

    id: int
    name: str
    username: str
    language: str


@dataclass(frozen=True)
class Said:
    """A text message to the bot."""

    person: Person
    chat_id: int
    chat_type: str
    text: str


@dataclass(frozen=True)
class Press:
    """A press of an inline button."""

    query_id: str
    person: Person
    chat_id: int
    chat_type: str
    message_id: int
    data: str


def update_id(update: object) -> int | None:
    """Return an update's id, if it is an update."""
    found = update.get("update_id") if isinstance(update, dict) else None
    return found if _is_number(found) else None


def read(update: object) -> Said | Press | None:
    """Return what a person said or pressed; None for all that we do not take."""
    if not isinstance(update, dict):
        return None
    try:
        if "callback_query" in update:
            return _press(update["callback_query"])
        if "message" in update:
            return _said(update["message"])
    except (KeyError, TypeError, ValueError):
        return None
    return None


def _said(message: dict[str, Any]) -> Said:
    chat = message["chat"]
    return Said(
        person=_person(message["from"]),
        chat_id=_number(chat["id"]),
        chat_type=str(chat["type"]),
        text=_text(message["text"]),
    )


def _press(query: dict[str, Any]) -> Press:
    # An inline message has no chat of ours: it could be pressed anywhere
    message = query["message"]
    return Press(
        query_id=_text(query["id"]),
        person=_person(query["from"]),
        chat_id=_number(message["chat"]["id"]),
        chat_type=str(message["chat"]["type"]),
        message_id=_number(message["message_id"]),
        data=_text(query["data"]),
    )


def _person(account: dict[str, Any]) -> Person:
    if account.get("is_bot") is not False:
        raise ValueError("not a person")
    names = [account.get("first_name"), account.get("last_name")]
    full = " ".join(name for name in names if isinstance(name, str) and name)
    return Person(
        id=_number(account["id"]),
        name=visible(full)[:NAME_LENGTH],
        username=visible(_optional(account, "username"))[:64],
        language=_optional(account, "language_code")[:8],
    )


def _optional(account: dict[str, Any], name: str) -> str:
    value = account.get(name, "")
    return value if isinstance(value, str) else ""


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("not a text")
    return value


def _number(value: object) -> int:
    if not _is_number(value):
        raise TypeError("not a number")
    return value


def _is_number(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)
