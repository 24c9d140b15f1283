"""Asks the model once: a whole, validated answer is stored, or a broken attempt."""

from collections.abc import Mapping
from typing import Any

from django.db.models.functions import Now
from pydantic_ai.exceptions import ModelHTTPError
from pydantic_ai.messages import (
    ModelMessage,
    ModelMessagesTypeAdapter,
    ModelRequest,
    ModelResponse,
    TextPart,
)
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.tools import ToolDefinition

from acciones.models import Conversation
from agente import cite
from agente.language.choose import speaker_of
from agente.language.speaker import Speaker
from agente.models import Agent, ToolCall, Turn, TurnAttempt
from agente.say import say
from agente.tools.tool import Tool
from maya.lib import wake
from maya.lib.stored import storable

from . import claims, status
from .guards import Call, Rejected, accepted
from .history import history
from .instructions import instructions
from .lease import Held, LeaseLost
from .stream import Draft, stream

DRAFT_KEPT = 8_000
REFUSED_BY_PROVIDER = {400, 401, 403, 404, 422}


class Hopeless(Exception):
    """Trying again would change nothing: a bad key, say, or an unknown model."""


def infer(
    held: Held,
    agent: Agent,
    conversation: Conversation,
    tools: Mapping[str, Tool],
    *,
    step: int,
) -> bool:
    """Ask the model for one answer; say whether it was accepted.

    A rejected or cut answer stays as a broken attempt with its draft and diagnosis.
    Raises ``LeaseLost`` or ``Hopeless``.
    """
    speaker = speaker_of(conversation.site)
    turn, attempt, correction = _begin(held, agent, speaker, step)
    messages = history(turn)
    _instruct(messages, instructions(agent, conversation, correction=correction))
    draft = Draft(held, attempt.number, lambda: _answering(held, agent), tools)
    try:
        response = stream(held, speaker, messages, _parameters(tools), draft)
        calls = accepted(response, speaker, tools)
        if claims.is_false(held.conversation_id, _text(response)):
            raise Rejected(CLAIMS_DONE, "dices que un cambio está hecho y no lo está")
    except LeaseLost:
        _broken(attempt, draft, "stopped", "")
        raise
    except Rejected as error:
        _broken(attempt, draft, error.diagnosis, error.detail)
    except ModelHTTPError as error:
        _broken(attempt, draft, f"http_{error.status_code}", "")
        if error.status_code in REFUSED_BY_PROVIDER:
            raise Hopeless from error
    except Exception as error:  # noqa: BLE001  SDKs raise many kinds; all mean "cut"
        _broken(attempt, draft, "cut", type(error).__name__)
    else:
        _accept(held, attempt, response, calls, tools)
        return True
    return False


def _begin(
    held: Held, agent: Agent, speaker: Speaker, step: int
) -> tuple[Turn, TurnAttempt, str]:
    with held.writing() as turn:
        earlier = list(turn.attempts.order_by("number"))
        for left in earlier:
            # A worker died in the middle of this one
            if left.state == TurnAttempt.State.RUNNING:
                _broken(left, None, "abandoned", "")
        attempt = TurnAttempt.objects.create(
            turn=turn,
            number=len(earlier) + 1,
            step=step,
            agent=agent.name,
            model=speaker.label,
            state=TurnAttempt.State.RUNNING,
        )
    last = earlier[-1] if earlier and earlier[-1].step == step else None
    return turn, attempt, last.detail if last and last.diagnosis in TOLD else ""


CLAIMS_DONE = "claims_done"
TOLD = {"unknown_tool", "bad_arguments", "bad_json", "bad_call", CLAIMS_DONE}
"""Diagnoses that the model can mend once it is told of them."""


def _instruct(messages: list[ModelMessage], text: str) -> None:
    last = next(m for m in reversed(messages) if isinstance(m, ModelRequest))
    last.instructions = text


def _parameters(tools: Mapping[str, Tool]) -> ModelRequestParameters:
    return ModelRequestParameters(
        function_tools=[
            ToolDefinition(
                name=tool.name,
                description=tool.description,
                parameters_json_schema=tool.schema,
            )
            for tool in tools.values()
        ],
        allow_text_output=True,
    )


def _answering(held: Held, agent: Agent) -> None:
    with held.writing() as turn:
        status.tell(turn, Turn.State.ANSWERING, agent=agent.name)


def _broken(
    attempt: TurnAttempt, draft: Draft | None, diagnosis: str, detail: str
) -> None:
    attempt.state = TurnAttempt.State.BROKEN
    attempt.draft = storable(draft.text[:DRAFT_KEPT]) if draft else ""
    attempt.diagnosis, attempt.detail = diagnosis, storable(detail[:300])
    attempt.finished = Now()
    attempt.save()


def _accept(
    held: Held,
    attempt: TurnAttempt,
    response: ModelResponse,
    calls: list[Call],
    tools: Mapping[str, Tool],
) -> None:
    text = _text(response)
    with held.writing() as turn:
        attempt.state = TurnAttempt.State.ACCEPTED
        attempt.response = _dumped(response)
        attempt.input_tokens = response.usage.input_tokens
        attempt.output_tokens = response.usage.output_tokens
        attempt.finished = Now()
        attempt.save()
        ToolCall.objects.bulk_create(
            ToolCall(
                turn=turn,
                attempt=attempt,
                place=place,
                call_id=call.call_id,
                name=call.name,
                arguments=call.arguments,
                state=ToolCall.State.STORED,
            )
            for place, call in enumerate(calls)
        )
        if text:
            shown, sources = cite.cited(turn, text)
            say(turn, shown, attempt=attempt.number, sources=sources)
        if not calls:
            status.end(turn, Turn.State.DONE)
        elif any(tools[call.name].told for call in calls):
            status.tell(turn, Turn.State.USING_TOOL, agent=attempt.agent)
        wake.drop_draft(turn.pk)


def _text(response: ModelResponse) -> str:
    parts = (part for part in response.parts if isinstance(part, TextPart))
    return "".join(part.content for part in parts).strip()


def _dumped(response: ModelResponse) -> Any:
    return ModelMessagesTypeAdapter.dump_python([response], mode="json")[0]
