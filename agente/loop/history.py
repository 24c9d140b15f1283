"""Builds what a model reads, from rows alone: no history that a client sends counts."""

import re
from collections.abc import Iterator

from pydantic_ai.messages import (
    ModelMessage,
    ModelMessagesTypeAdapter,
    ModelRequest,
    ModelResponse,
    TextPart,
    ToolReturnPart,
    UserPromptPart,
)

from agente.language import fence
from agente.language.situation import ACTION_SOURCE
from agente.models import Message, ToolCall, Turn, TurnAttempt

TURNS = 8
"""Earlier turns that a model still sees; facts are read anew anyway."""

PAST_CHARACTERS = 1_500
"""Of a result of an earlier turn: enough to know what was found."""

MARKS = re.compile(rf"<(?=/?\s*{fence.MARK}\b)", re.IGNORECASE)
INTERRUPTED = {"status": "interrupted", "note": "No llegó a terminar."}


def history(turn: Turn) -> list[ModelMessage]:
    """Return the messages of a turn and of those before it, the oldest first."""
    earlier = (
        Turn.objects.filter(
            conversation_id=turn.conversation_id, position__lt=turn.position
        )
        .prefetch_related("attempts", "calls__run", "messages")
        .order_by("-position")[:TURNS]
    )
    told = [
        part
        for past in reversed(list(earlier))
        for part in _messages(past, PAST_CHARACTERS)
    ]
    return [*told, *_messages(turn, fence.MAXIMUM_CHARACTERS)]


def _messages(turn: Turn, maximum: int) -> Iterator[ModelMessage]:
    if asked := _asked(turn):
        yield ModelRequest(parts=[UserPromptPart(asked)])
    calls: dict[int, list[ToolCall]] = {}
    for call in turn.calls.all():
        calls.setdefault(call.attempt_id, []).append(call)
    accepted = (a for a in turn.attempts.all() if a.state == a.State.ACCEPTED)
    for attempt in sorted(accepted, key=lambda attempt: attempt.step):
        yield _response(attempt)
        if made := calls.get(attempt.pk):
            made.sort(key=lambda call: call.place)
            yield ModelRequest(parts=[_return(call, maximum) for call in made])
    for message in sorted(turn.messages.all(), key=lambda message: message.created):
        if message.author == Message.Author.APPLICATION:
            yield ModelResponse(parts=[TextPart(message.text)])


def _asked(turn: Turn) -> str:
    """Return the turn's input; only a real click comes as fenced data of the screen."""
    if turn.kind == Turn.Kind.MESSAGE:
        return MARKS.sub("‹", turn.input["text"])
    if turn.kind == Turn.Kind.ACTION:
        return fence.fenced(ACTION_SOURCE, turn.input)
    return ""


def _response(attempt: TurnAttempt) -> ModelResponse:
    response = ModelMessagesTypeAdapter.validate_python([attempt.response])[0]
    assert isinstance(response, ModelResponse)  # noqa: S101  we stored it ourselves
    return response


def _return(call: ToolCall, maximum: int) -> ToolReturnPart:
    value = INTERRUPTED if call.result is None else dict(call.result)
    if call.run is not None:
        # What became of a proposal is read now: the model must not remember it
        value["now"] = call.run.state
    return ToolReturnPart(
        tool_name=call.name,
        content=fence.fenced(call.name, value, maximum=maximum),
        tool_call_id=call.call_id,
    )
