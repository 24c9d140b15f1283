"""What a scripted model sees of a conversation: messages, results, questions."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)

from . import fence

ACTION_SOURCE = "pantalla"
"""The fence's source of a UI action: ``<datos de="pantalla">``."""


def folded(text: str) -> str:
    """Return the text in lower case and without accents, as patterns expect it."""
    plain = unicodedata.normalize("NFKD", text.lower())
    return "".join(letter for letter in plain if not unicodedata.combining(letter))


@dataclass
class Situation:
    """The conversation as rules read it; everything comes from the messages alone."""

    said: list[str] = field(default_factory=list)
    """What the customer said, the newest last."""
    action: dict[str, Any] = field(default_factory=dict)
    """The newest input, when it was a click on a surface."""
    results: dict[str, dict[str, Any]] = field(default_factory=dict)
    """Results of this turn, by tool."""
    earlier: dict[str, dict[str, Any]] = field(default_factory=dict)
    """Results of earlier turns, by tool, the newest of each."""
    asked: str = ""
    """The fact that was asked right before the newest message."""
    tools: set[str] = field(default_factory=set)
    """What may be called now."""

    @cached_property
    def newest(self) -> str:
        """The newest message, folded; empty after a click."""
        return "" if self.action or not self.said else folded(self.said[-1])


def situation(messages: list[ModelMessage], tools: set[str]) -> Situation:
    """Read the messages of one request."""
    seen = Situation(tools=tools)
    calls: dict[str, ToolCallPart] = {}
    asked = ""
    for part in _parts(messages):
        if isinstance(part, UserPromptPart):
            seen.earlier |= seen.results
            seen.results = {}
            seen.asked, asked = asked, ""
            _hear(seen, str(part.content))
        elif isinstance(part, ToolCallPart):
            calls[part.tool_call_id] = part
        else:
            value = fence.unfenced(str(part.content))
            seen.results[part.tool_name] = value
            call = calls.get(part.tool_call_id)
            if part.tool_name == "ask_customer" and call is not None:
                asked = str(call.args_as_dict().get("fact", ""))
    return seen


def _parts(
    messages: list[ModelMessage],
) -> Iterator[UserPromptPart | ToolCallPart | ToolReturnPart]:
    for message in messages:
        if isinstance(message, ModelRequest | ModelResponse):
            for part in message.parts:
                if isinstance(part, UserPromptPart | ToolCallPart | ToolReturnPart):
                    yield part


def _hear(seen: Situation, text: str) -> None:
    seen.action = fence.unfenced(text) if text.startswith(f"<{fence.MARK} ") else {}
    if not seen.action:
        seen.said.append(text)


def found_in(pattern: str, text: str) -> str:
    """Return the group that matched (or all) of a pattern's first match in a text."""
    match = re.search(pattern, text)
    if match is None:
        return ""
    return next((group for group in match.groups() if group), match.group(0))
