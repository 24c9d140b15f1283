"""Scenarios as data: read from TOML, with nothing in them that nobody checks."""

import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any


class BadScenario(ValueError):
    """The file says something that no check understands."""


@dataclass(frozen=True)
class Scenario:
    """One conversation and its expectations.

    ``says``: what the customer types. ``tools`` must have been called, ``never_tools``
    must not. ``proposal`` is what must be on offer in the end: ``{"action", "target"?,
    "amount_minor"?}``; without it nothing may be. ``answers`` are patterns that all
    that was said must match, ``never_answers`` must not. ``handoff`` names an agent
    that must have been reached. ``evidence`` are references the proposal must cite.
    """

    name: str
    site: str
    says: tuple[str, ...]
    customer: str = ""
    tools: tuple[str, ...] = ()
    never_tools: tuple[str, ...] = ()
    proposal: dict[str, Any] = field(default_factory=dict)
    evidence: tuple[str, ...] = ()
    answers: tuple[str, ...] = ()
    never_answers: tuple[str, ...] = ()
    handoff: str = ""


KNOWN = {item.name for item in fields(Scenario)}
PROPOSAL = {"action", "target", "amount_minor"}


def load(path: Path) -> list[Scenario]:
    """Return the scenarios of a file; raises ``BadScenario``."""
    try:
        content = tomllib.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise BadScenario(f"{path}: {error}") from error
    return list(_scenarios(content.get("scenario", [])))


def _scenarios(rows: Iterable[dict[str, Any]]) -> Iterable[Scenario]:
    for row in rows:
        name = row.get("name", "?")
        unknown = set(row) - KNOWN | set(row.get("proposal", {})) - PROPOSAL
        if unknown:
            raise BadScenario(f"{name}: unknown {', '.join(sorted(unknown))}")
        if not row.get("says"):
            raise BadScenario(f"{name}: nobody says anything")
        for pattern in (*row.get("answers", ()), *row.get("never_answers", ())):
            _check(name, pattern)
        values: dict[str, Any] = {
            key: tuple(value) if isinstance(value, list) else value
            for key, value in row.items()
        }
        yield Scenario(**values)


def _check(name: str, pattern: str) -> None:
    try:
        re.compile(pattern)
    except re.error as error:
        raise BadScenario(f"{name}: {pattern!r}: {error}") from error
