"""Models on strings: each request gets the next of the things they were told to do."""

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from typing import Any

import pytest
from pydantic_ai.messages import ModelMessage, ModelRequest, ToolReturnPart
from pydantic_ai.models.function import (
    AgentInfo,
    DeltaToolCall,
    DeltaToolCalls,
    FunctionModel,
)

from agente.language.speaker import Speaker
from maya.lib import canonical

Told = str | BaseException | list[tuple[str, Any]]
Step = Told | Callable[[], Told]


@dataclass
class Puppet:
    """A model that says or calls what its steps tell; the last step stays."""

    steps: list[Step]
    seen: list[list[ModelMessage]] = field(default_factory=list)
    tools: list[set[str]] = field(default_factory=list)
    instructions: list[str] = field(default_factory=list)

    def speaker(self) -> Speaker:
        """Return the puppet as a speaker."""
        model = FunctionModel(stream_function=self._speak, model_name="puppet")
        return Speaker(model, "puppet", network=False)

    def take(self, monkeypatch: pytest.MonkeyPatch) -> "Puppet":
        """Let every site speak through the puppet."""
        monkeypatch.setattr("agente.loop.infer.speaker_of", lambda _: self.speaker())
        return self

    def results(self) -> list[str]:
        """Return what the newest request was told of tools."""
        parts = [
            part
            for message in self.seen[-1]
            if isinstance(message, ModelRequest)
            for part in message.parts
        ]
        return [str(p.content) for p in parts if isinstance(p, ToolReturnPart)]

    async def _speak(
        self, messages: list[ModelMessage], info: AgentInfo
    ) -> AsyncIterator[str | DeltaToolCalls]:
        self.seen.append(list(messages))
        self.tools.append({tool.name for tool in info.function_tools})
        self.instructions.append(info.instructions or "")
        step: Step = self.steps.pop(0) if len(self.steps) > 1 else self.steps[0]
        if not isinstance(step, str | BaseException | list):
            step = await asyncio.to_thread(step)
        if isinstance(step, BaseException):
            yield "A medias… "
            raise step
        if isinstance(step, str):
            for word in step.split(" "):
                yield f"{word} "
            return
        for place, (name, arguments) in enumerate(step):
            text = (
                arguments
                if isinstance(arguments, str)
                else canonical.compact(arguments).decode()
            )
            yield {
                place: DeltaToolCall(
                    name=name,
                    json_args=text,
                    tool_call_id=f"c{len(self.seen)}-{place}",
                )
            }
