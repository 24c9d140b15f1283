"""What this Telegram knows: accounts, messages, taps, updates and how it behaves."""

import threading
from dataclasses import dataclass, field
from typing import Any

USERNAME = "maya_prueba_bot"


@dataclass(frozen=True)
class Account:
    """A person with a private chat of the same number, as on the real thing."""

    id: int
    first_name: str = "Olga"
    username: str = "olga"
    language_code: str = "es"

    def wire(self) -> dict[str, Any]:
        """Return the account as the Bot API writes it."""
        return {
            "id": self.id,
            "is_bot": False,
            "first_name": self.first_name,
            "username": self.username,
            "language_code": self.language_code,
        }

    def chat(self) -> dict[str, Any]:
        """Return the private chat with this account."""
        return {"id": self.id, "type": "private", "first_name": self.first_name}


@dataclass
class Message:
    """A message of the bot, as it stands now."""

    id: int
    chat_id: int
    text: str
    buttons: list[dict[str, str]] = field(default_factory=list)
    edits: int = 0
    protected: bool = False

    def wire(self) -> dict[str, Any]:
        """Return the message as the Bot API writes it."""
        kind = "private" if self.chat_id > 0 else "group"
        return {
            "message_id": self.id,
            "date": 1_700_000_000,
            "chat": {"id": self.chat_id, "type": kind},
            "text": self.text,
        }

    def key(self, label: str) -> str:
        """Return what the button with this label sends."""
        return next(b["callback_data"] for b in self.buttons if b["text"] == label)


@dataclass
class Mood:
    """How the next ``times`` calls of a method are answered (None: all of them).

    ``kind`` is an HTTP status to answer with, ``hang`` (never answer) or ``drop``
    (close the connection). ``effect`` says whether the call takes effect all the same.
    """

    kind: int | str
    method: str = ""
    times: int | None = None
    effect: bool = False
    retry_after: int = 0
    description: str = ""


@dataclass
class State:
    """Everything behind the server, under one lock."""

    token: str
    lock: threading.Condition = field(default_factory=threading.Condition)
    messages: dict[int, Message] = field(default_factory=dict)
    calls: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    open_queries: set[str] = field(default_factory=set)
    answers: dict[str, str] = field(default_factory=dict)
    updates: list[dict[str, Any]] = field(default_factory=list)
    moods: list[Mood] = field(default_factory=list)
    blocked: set[int] = field(default_factory=set)
    webhook: dict[str, Any] = field(default_factory=dict)
    next_id: int = 100

    def number(self) -> int:
        """Return a number that was not used yet."""
        with self.lock:
            self.next_id += 1
            return self.next_id

    def mood(self, method: str) -> Mood | None:
        """Return how this call is to be answered, and use that up once."""
        with self.lock:
            for mood in self.moods:
                if mood.method in ("", method):
                    if mood.times is not None:
                        mood.times -= 1
                        if mood.times <= 0:
                            self.moods.remove(mood)
                    return mood
        return None

    def push(self, event: dict[str, Any]) -> dict[str, Any]:
        """Make an update of something that a person did."""
        with self.lock:
            update = {"update_id": self.number(), **event}
            self.updates.append(update)
            self.lock.notify_all()
        return update
