"""Reads ``script.toml``: an agent's manners as rules, for working without a model.

A rule applies when everything in its ``when`` holds and each tool that it calls may
be called; the first that applies speaks. All knowledge is in the file; this is only
how to read it.
"""

import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

from django.utils import formats

from .situation import Situation, folded, found_in

FILE = Path(__file__).with_name("script.toml")
LOOK_BACK = 6
"""Messages that a topic or a value is looked for in, the newest first."""
PLACE = re.compile(r"\{([a-z_]+(?:\.\w+)*)(?:\|(\w+))?\}")


@dataclass(frozen=True)
class Rule:
    """One thing to do, and when; see the head of ``script.toml``."""

    name: str
    when: Mapping[str, Any] = field(default_factory=dict)
    say: str = ""
    calls: tuple[Mapping[str, Any], ...] = ()


@dataclass(frozen=True)
class Answer:
    """What a rule makes of a situation: text, and calls with their arguments."""

    rule: str
    text: str
    calls: tuple[tuple[str, dict[str, Any]], ...] = ()


class Script:
    """A set of rules with the patterns, topics and slots that they name."""

    def __init__(self, content: Mapping[str, Any]) -> None:
        """Keep the rules in their order."""
        self.patterns: dict[str, str] = content.get("patterns", {})
        self.topics: dict[str, str] = content.get("topics", {})
        self.slots: dict[str, str] = content.get("slots", {})
        self.rules = [
            Rule(**{**rule, "calls": tuple(rule.get("calls", ()))})
            for rule in content.get("rules", ())
        ]

    def answer(self, seen: Situation) -> Answer:
        """Return what the first fitting rule says; raises ``LookupError``."""
        values = self.values(seen)
        for rule in self.rules:
            if self._fits(rule, seen, values):
                return _filled(rule, values)
        raise LookupError("no rule fits: the script lacks a last resort")

    def values(self, seen: Situation) -> dict[str, Any]:
        """Return what rules may compare with and write."""
        slots = {name: self._slot(name, seen) for name in self.slots}
        return {
            "slot": {name: value for name, value in slots.items() if value},
            "result": seen.results,
            "earlier": seen.earlier,
            "action": seen.action,
            "said": seen.said[-1] if seen.said else "",
            "topic": self._topic(seen),
            "new_topic": self._topic_of(seen.newest),
            "new_slot": {
                name: value
                for name, pattern in self.slots.items()
                if (value := found_in(pattern, seen.newest))
            },
            "open_proposal": any(
                result.get("now") == "requested" for result in seen.earlier.values()
            ),
        }

    def _slot(self, name: str, seen: Situation) -> str:
        for text in reversed(seen.said[-LOOK_BACK:]):
            if value := found_in(self.slots[name], folded(text)):
                return value
        return ""

    def _topic(self, seen: Situation) -> str:
        """Return what the newest message is about.

        One that only answers (a number, a yes) goes on with the topic before it.
        """
        answers = bool(seen.asked) or any(
            found_in(pattern, seen.newest) for pattern in self.slots.values()
        )
        texts = seen.said[-LOOK_BACK:] if answers else seen.said[-1:]
        topics = (self._topic_of(folded(text)) for text in reversed(texts))
        return next((topic for topic in topics if topic), "") if seen.newest else ""

    def _topic_of(self, text: str) -> str:
        return next(
            (
                topic
                for topic, pattern in self.topics.items()
                if found_in(pattern, text)
            ),
            "",
        )

    def _fits(self, rule: Rule, seen: Situation, values: dict[str, Any]) -> bool:
        if any(call["tool"] not in seen.tools for call in rule.calls):
            return False
        return all(
            CONDITIONS[name](self, wanted, seen, values)
            for name, wanted in rule.when.items()
        )

    def said(self, names: list[str], seen: Situation) -> bool:
        """Say whether the newest message matches any of these patterns."""
        return any(found_in(self.patterns[name], seen.newest) for name in names)


Condition = Callable[[Script, Any, Situation, dict[str, Any]], bool]
CONDITIONS: dict[str, Condition] = {
    "said": lambda script, names, seen, _: script.said(names, seen),
    "unsaid": lambda script, names, seen, _: not script.said(names, seen),
    "topic": lambda _s, names, _seen, values: values["topic"] in names,
    "slots": lambda _s, names, _seen, values: all(n in values["slot"] for n in names),
    "no_slots": lambda _s, names, _seen, v: not any(n in v["slot"] for n in names),
    "asked": lambda _s, names, seen, _: seen.asked in names,
    "action": lambda _s, names, seen, _: seen.action.get("name") in names,
    "can": lambda _s, names, seen, _: all(n in seen.tools for n in names),
    "cannot": lambda _s, names, seen, _: not any(n in seen.tools for n in names),
    "done": lambda _s, names, seen, _: all(n in seen.results for n in names),
    "not_done": lambda _s, names, seen, _: not any(n in seen.results for n in names),
    "values": lambda _s, tests, _seen, values: all(_holds(t, values) for t in tests),
}


def _holds(test: Mapping[str, Any], values: dict[str, Any]) -> bool:
    value = at(values, test["of"])
    if "is" in test:
        return bool(value == test["is"])
    if "one_of" in test:
        return value in test["one_of"]
    if "missing" in test:
        return (value is None) is test["missing"]
    if not isinstance(value, int | float):
        return False
    if "above" in test:
        return bool(value > test["above"])
    return bool(value <= test["at_most"])


def at(value: Any, path: str) -> Any:
    """Return what stands at a dotted path, or None."""
    for step in path.split("."):
        if isinstance(value, Mapping):
            value = value.get(step)
        elif isinstance(value, list) and step.isdigit() and int(step) < len(value):
            value = value[int(step)]
        else:
            return None
    return value


def _filled(rule: Rule, values: dict[str, Any]) -> Answer:
    return Answer(
        rule.name,
        str(fill(rule.say, values)) if rule.say else "",
        tuple(
            (call["tool"], fill(dict(call.get("args", {})), values))
            for call in rule.calls
        ),
    )


def fill(template: Any, values: dict[str, Any]) -> Any:
    """Fill ``{path}`` and ``{path|filter}``; a lone placeholder keeps its type."""
    if isinstance(template, dict):
        return {key: fill(value, values) for key, value in template.items()}
    if isinstance(template, list):
        return [fill(item, values) for item in template]
    if not isinstance(template, str):
        return template
    if alone := PLACE.fullmatch(template):
        return _value(alone, values)
    return PLACE.sub(lambda found: str(_value(found, values)), template)


def _value(found: re.Match[str], values: dict[str, Any]) -> Any:
    value = at(values, found.group(1))
    if found.group(2):
        return FILTERS[found.group(2)](value)
    return "" if value is None else value


def _euros(value: Any) -> str:
    return f"{float(value or 0):,.2f}".translate(str.maketrans(",.", ".,"))


def _pesos(value: Any) -> str:
    return f"{float(value or 0):,.2f}"


def _amount(value: Any) -> str:
    return f"{float(str(value or 0).replace(',', '')):.2f}"


def _day(value: Any) -> str:
    return formats.date_format(date.fromisoformat(str(value)), r"j \d\e F")


FILTERS: dict[str, Callable[[Any], Any]] = {
    "amount": _amount,
    "day": _day,
    "capital": lambda value: str(value or "").strip().capitalize(),
    "upper": lambda value: str(value or "").upper(),
    "number": lambda value: int(value or 0),
    "euros": _euros,
    "pesos": _pesos,
}


@cache
def script() -> Script:
    """Return the script of the house."""
    return Script(tomllib.loads(FILE.read_text("utf-8")))
