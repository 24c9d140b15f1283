"""The shop's mood: how the next requests are answered, for whoever tries Maya out."""

from dataclasses import dataclass
from typing import Any

NAMES = ("ok", "slow", "pending", "5xx", "garbage", "4xx", "drop")
TARGETS = ("changes", "lookups")
EFFECTIVE = ("ok", "slow")
"""Moods that carry the change out unless told otherwise; the others do not."""
LONGEST = 120.0


@dataclass(frozen=True, slots=True)
class Mood:
    """How to answer, and whether the change happens all the same."""

    name: str = "ok"
    effect: bool = True
    seconds: float = 0.0
    times: int | None = None
    on: str = "changes"


class Moods:
    """The mood of changes and the mood of lookups, each used up request by request."""

    def __init__(self) -> None:
        self._current = {target: Mood(on=target) for target in TARGETS}
        self._left: dict[str, int | None] = dict.fromkeys(TARGETS)

    def put(self, mood: Mood) -> None:
        """Be in this mood for its next requests, or until another is put."""
        self._current[mood.on] = mood
        self._left[mood.on] = mood.times

    def take(self, target: str) -> Mood:
        """Return the mood for one request and use it up once."""
        mood, left = self._current[target], self._left[target]
        if left is None:
            return mood
        if left == 0:
            return Mood(on=target)
        self._left[target] = left - 1
        return mood


def read_mood(asked: dict[str, Any]) -> Mood:
    """Return the mood that is asked for; a ValueError says what is wrong with it."""
    unknown = asked.keys() - {"mood", "effect", "seconds", "times", "on"}
    name, on = asked.get("mood"), asked.get("on", "changes")
    if unknown or name not in NAMES or on not in TARGETS:
        raise ValueError(f"mood is one of {NAMES}, on is one of {TARGETS}")
    if name == "pending" and on == "lookups":
        raise ValueError("a lookup is never pending")
    effect = asked.get("effect", name in EFFECTIVE)
    seconds = asked.get("seconds", 5 if name == "slow" else 0)
    times = asked.get("times")
    if not isinstance(effect, bool) or (name == "ok" and not effect):
        raise ValueError("effect is a boolean, and true when all is well")
    if type(seconds) not in (int, float) or not 0 <= seconds <= LONGEST:
        raise ValueError(f"seconds is a number up to {LONGEST}")
    if times is not None and (type(times) is not int or times < 1):
        raise ValueError("times is a positive integer or null")
    return Mood(name, effect, float(seconds), times, on)
