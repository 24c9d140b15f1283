"""The offline model: a real pydantic-ai model that speaks by ``script.toml``.

It needs no network, no key and no luck, and it goes through the same loop, guards
and storage as any other model.
"""

import re
from collections.abc import AsyncIterator
from uuid import uuid4

from pydantic_ai.messages import ModelMessage
from pydantic_ai.models.function import (
    AgentInfo,
    DeltaToolCall,
    DeltaToolCalls,
    FunctionModel,
)

from maya.lib import canonical

from .script import Script, script
from .situation import situation

NAME = "guion"
WORDS = re.compile(r"\S+\s*")


def scripted(rules: Script | None = None) -> FunctionModel:
    """Return the model that follows these rules, by default those of the house."""
    followed = rules or script()

    async def speak(
        messages: list[ModelMessage], info: AgentInfo
    ) -> AsyncIterator[str | DeltaToolCalls]:
        tools = {tool.name for tool in info.function_tools}
        answer = followed.answer(situation(messages, tools))
        for word in WORDS.findall(answer.text):
            yield word
        for place, (tool, arguments) in enumerate(answer.calls):
            yield {
                place: DeltaToolCall(
                    name=tool,
                    json_args=canonical.compact(arguments).decode(),
                    tool_call_id=f"guion-{uuid4().hex[:12]}",
                )
            }

    return FunctionModel(stream_function=speak, model_name=NAME)
