"""The guards: no tool runs on half a sentence.

A response counts only if it is complete, says why it ended, and all its calls are
known and fit their schemas to the letter. Anything else is rejected whole.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from jsonschema import Draft202012Validator
from pydantic_ai.messages import (
    ModelMessagesTypeAdapter,
    ModelResponse,
    ToolCallPart,
)
from pydantic_core import PydanticSerializationError

from agente.language.speaker import Speaker
from agente.tools.tool import Tool
from maya.lib import canonical

GOOD_ENDS = {"stop", "tool_call"}
MAXIMUM_CALLS = 8
"""Calls in one response; more is a model gone astray."""
MAXIMUM_CALL_ID = 200


@dataclass(frozen=True)
class Call:
    """A validated call, not yet stored."""

    call_id: str
    name: str
    arguments: dict[str, Any]


class Rejected(Exception):
    """A response that must not be used: a stable ``diagnosis``, and a detail."""

    def __init__(self, diagnosis: str, detail: str = "") -> None:
        """Keep the diagnosis; the detail may be told to the model."""
        self.diagnosis, self.detail = diagnosis, detail
        super().__init__(f"{diagnosis}: {detail}")


def accepted(
    response: ModelResponse, speaker: Speaker, tools: Mapping[str, Tool]
) -> list[Call]:
    """Return the response's validated calls; raises ``Rejected``."""
    if response.state != "complete":
        raise Rejected("incomplete", response.state)
    _check_end(response, speaker)
    calls = [_call(part, tools) for part in response.tool_calls]
    if len(calls) > MAXIMUM_CALLS:
        raise Rejected("too_many_calls", str(len(calls)))
    if len({call.call_id for call in calls}) != len(calls):
        raise Rejected("bad_call", "dos llamadas con el mismo identificador")
    if not calls and not (response.text or "").strip():
        raise Rejected("empty")
    _check_text(response)
    return calls


def _check_end(response: ModelResponse, speaker: Speaker) -> None:
    reason = response.finish_reason
    if reason in GOOD_ENDS or (reason is None and not speaker.network):
        return
    if reason is None and not speaker.finish_required:
        return
    raise Rejected("no_finish" if reason is None else f"finish_{reason}")


def _check_text(response: ModelResponse) -> None:
    """Refuse what no row can hold: stored, it would break the turn, not the answer."""
    try:
        canonical.strict_loads(ModelMessagesTypeAdapter.dump_json([response]))
    except (canonical.NotJSON, PydanticSerializationError) as error:
        raise Rejected("bad_text") from error


def _call(part: ToolCallPart, tools: Mapping[str, Tool]) -> Call:
    tool = tools.get(part.tool_name)
    if tool is None:
        raise Rejected(
            "unknown_tool", f"la herramienta «{part.tool_name[:64]}» no existe"
        )
    if not 0 < len(part.tool_call_id) <= MAXIMUM_CALL_ID:
        raise Rejected("bad_call", "el identificador de la llamada no vale")
    arguments = _arguments(part)
    error = next(Draft202012Validator(tool.schema).iter_errors(arguments), None)
    if error is not None:
        where = ".".join(str(step) for step in error.absolute_path) or "argumentos"
        raise Rejected("bad_arguments", f"{tool.name}, {where}: {error.message[:150]}")
    return Call(part.tool_call_id, part.tool_name, arguments)


def _arguments(part: ToolCallPart) -> dict[str, Any]:
    if isinstance(part.args, dict):
        return part.args
    try:
        value = canonical.strict_loads(part.args or "{}")
    except canonical.NotJSON as error:
        raise Rejected("bad_json", f"{part.tool_name[:64]}: {error}") from error
    if not isinstance(value, dict):
        raise Rejected("bad_json", f"{part.tool_name[:64]}: no es un objeto")
    return value
