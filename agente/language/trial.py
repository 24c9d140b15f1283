"""Tries a language model: is it reached, does it answer, does it call a tool."""

import asyncio
import time
from dataclasses import dataclass

from pydantic_ai.direct import model_request_stream
from pydantic_ai.exceptions import ModelHTTPError
from pydantic_ai.messages import ModelRequest, ModelResponse, UserPromptPart
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.tools import ToolDefinition

from maya.lib import addresses, background

from .speaker import Speaker

TRIAL_SECONDS = 30
ASKED = "¿Está abierto hoy? Consúltalo con la herramienta «consultar_horario»."
TOOL = ToolDefinition(
    name="consultar_horario",
    description="Devuelve el horario de un día.",
    parameters_json_schema={
        "type": "object",
        "properties": {"dia": {"type": "string"}},
        "required": ["dia"],
        "additionalProperties": False,
    },
)


@dataclass(frozen=True)
class Trial:
    """How a trial went; ``problem`` is for the owner and holds no secret."""

    problem: str = ""
    calls_tools: bool = False
    seconds: float = 0.0


def try_out(speaker: Speaker) -> Trial:
    """Ask a model one small question that needs a tool; never raises."""
    started = time.monotonic()
    try:
        response = background.run(_ask(speaker), timeout=TRIAL_SECONDS)
    except ModelHTTPError as error:
        return Trial(f"El servidor respondió {error.status_code}.")
    except addresses.Refused as error:
        return Trial(str(error))
    except Exception as error:  # noqa: BLE001  SDKs raise many kinds
        refused = _refused(error)
        return Trial(refused or f"No se pudo completar: {type(error).__name__}.")
    spent = time.monotonic() - started
    if response.finish_reason is None and speaker.finish_required and speaker.network:
        return Trial("El servidor no dice por qué termina («finish_reason»).")
    called = any(call.tool_name == TOOL.name for call in response.tool_calls)
    return Trial(calls_tools=called, seconds=spent)


def _refused(error: BaseException) -> str:
    """Return why an address was refused, if that is what lies beneath."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, addresses.Refused):
            return str(cause)
        cause = cause.__cause__ or cause.__context__
    return ""


async def _ask(speaker: Speaker) -> ModelResponse:
    messages = [ModelRequest(parts=[UserPromptPart(ASKED)])]
    parameters = ModelRequestParameters(function_tools=[TOOL], allow_text_output=True)
    async with (
        asyncio.timeout(TRIAL_SECONDS - 1),
        model_request_stream(
            speaker.model,
            messages,
            model_settings=speaker.settings,
            model_request_parameters=parameters,
        ) as answer,
    ):
        async for _event in answer:
            pass
        return answer.get()
