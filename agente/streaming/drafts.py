"""Provisional text: what the agent is writing, before anything of it is a fact.

A draft belongs to one attempt of one turn. It is never a fact, has no cursor, and a
newer attempt replaces it whole.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

from maya.lib import canonical

MOST_CHARACTERS = 256 * 1024
"""A longer draft is not an answer any more; its end comes with the event."""


class Delta(NamedTuple):
    """The next piece of a draft. ``offset`` counts characters (code points)."""

    run_id: str
    attempt: int
    offset: int
    text: str
    type: str = "delta"

    def encoded(self) -> bytes:
        """Return it as JSON, its type first."""
        return _encoded(self)


class Preparing(NamedTuple):
    """A tool call is being written that nobody has accepted yet."""

    run_id: str
    attempt: int
    name: str
    type: str = "preparing"

    def encoded(self) -> bytes:
        """Return it as JSON, its type first."""
        return _encoded(self)


Provisional = Delta | Preparing


def _encoded(frame: Provisional) -> bytes:
    return canonical.compact({"type": frame.type, **frame._asdict()})


@dataclass(slots=True)
class Draft:
    """What one attempt has written so far."""

    attempt: int
    text: str = ""
    preparing: str = ""


class Drafts:
    """The drafts of one conversation's turns, as far as this process knows."""

    __slots__ = ("_settled", "by_turn")

    def __init__(self) -> None:
        self.by_turn: dict[str, Draft] = {}
        # The attempts whose answer is a fact already: what still comes is too late
        self._settled: dict[str, float] = {}

    def is_settled(self, run_id: str, attempt: float) -> bool:
        """Say whether this attempt's text can interest nobody any more."""
        return attempt <= self._settled.get(run_id, 0)

    def settle(self, run_id: str, attempt: float) -> None:
        """Forget a turn's draft: its answer is stored, or the turn ended."""
        self._settled[run_id] = attempt
        draft = self.by_turn.get(run_id)
        if draft is not None and draft.attempt <= attempt:
            del self.by_turn[run_id]

    def call_stored(self, run_id: str) -> None:
        """Stop showing a call as being prepared: it is a fact now."""
        if run_id in self.by_turn:
            self.by_turn[run_id].preparing = ""

    def add(self, message: dict[str, Any]) -> bool:
        """Take a published piece; False when what comes before it is missing."""
        run_id, attempt = message["run_id"], message["attempt"]
        draft = self._at(run_id, attempt)
        if draft is None:
            return True
        if "preparing" in message:
            draft.preparing = message["preparing"]
            return True
        offset, text = message["offset"], message["text"]
        if offset > len(draft.text):
            return False
        if offset + len(text) > len(draft.text):
            draft.text = (draft.text[:offset] + text)[:MOST_CHARACTERS]
        return True

    def restore(self, run_id: str, attempt: int, text: str) -> None:
        """Take a stored draft, unless what is known is newer or longer."""
        draft = self._at(run_id, attempt)
        if draft is not None and len(text) > len(draft.text):
            draft.text = text[:MOST_CHARACTERS]

    def _at(self, run_id: str, attempt: int) -> Draft | None:
        """Return the draft to write on; None when this attempt is out of date."""
        if self.is_settled(run_id, attempt):
            return None
        draft = self.by_turn.get(run_id)
        if draft is not None and attempt < draft.attempt:
            return None
        if draft is None or attempt > draft.attempt:
            draft = self.by_turn[run_id] = Draft(attempt)
        return draft


class Shown:
    """How much of each draft one reader was sent."""

    __slots__ = ("_sent",)

    def __init__(self) -> None:
        self._sent: dict[str, tuple[int, int, str]] = {}

    def news(self, drafts: Drafts) -> list[Provisional]:
        """Return what this reader lacks, and take it as sent."""
        news: list[Provisional] = []
        for run_id, draft in drafts.by_turn.items():
            attempt, offset, preparing = self._sent.get(run_id, (0, 0, ""))
            if attempt != draft.attempt:
                offset, preparing = 0, ""
            if len(draft.text) > offset:
                piece = draft.text[offset:]
                news.append(Delta(run_id, draft.attempt, offset, piece))
            if draft.preparing and draft.preparing != preparing:
                news.append(Preparing(run_id, draft.attempt, draft.preparing))
            now = (draft.attempt, len(draft.text), draft.preparing)
            self._sent[run_id] = now
        return news
