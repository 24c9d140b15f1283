"""pydantic-ai's own ``Agent``: two agents, the hand-off an output function."""

import asyncio
import json
from collections.abc import AsyncIterable, AsyncIterator
from typing import Any

from pydantic_ai import Agent, RunContext, ToolOutput
from pydantic_ai.messages import (
    ModelMessage,
    PartDeltaEvent,
    PartStartEvent,
    TextPart,
    TextPartDelta,
    ToolReturnPart,
)
from pydantic_ai.models.function import (
    AgentInfo,
    DeltaToolCall,
    DeltaToolCalls,
    FunctionModel,
)

from bench.talking import story
from bench.talking.orders import obey

HANDOFF = "transfer_to_refund_specialist"


def _called(place: int, name: str, arguments: dict[str, Any]) -> DeltaToolCalls:
    text = json.dumps(arguments)
    return {0: DeltaToolCall(name=name, json_args=text, tool_call_id=f"c{place}")}


async def _coordinate(
    messages: list[ModelMessage], info: AgentInfo
) -> AsyncIterator[str | DeltaToolCalls]:
    await story.PACE.begin()
    yield _called(0, HANDOFF, story.REASON)


async def _specialize(
    messages: list[ModelMessage], info: AgentInfo
) -> AsyncIterator[str | DeltaToolCalls]:
    await story.PACE.begin()
    seen = sum(isinstance(p, ToolReturnPart) for m in messages for p in m.parts)
    if seen < len(story.CALLS):
        yield _called(seen + 1, *story.CALLS[seen])
        return
    async for word in story.PACE.words():
        yield word


specialist = Agent(
    FunctionModel(stream_function=_specialize), deps_type=list, name=story.SPECIALIST
)


@specialist.tool_plain
async def search_policy(question: str) -> str:
    """Busca en las políticas del sitio."""
    return story.POLICY


@specialist.tool_plain
async def lookup_get_order(order_id: str) -> dict[str, Any]:
    """Consulta un pedido del cliente."""
    return story.ORDER


@specialist.tool_plain
async def change_refund_order(
    order_id: str, amount: str, reason: str
) -> dict[str, Any]:
    """Prepara la propuesta de un reembolso."""
    return story.PROPOSED


async def _tell(ctx: RunContext[list[str]], events: AsyncIterable[Any]) -> None:
    async for event in events:
        if isinstance(event, PartStartEvent) and isinstance(event.part, TextPart):
            ctx.deps.append(event.part.content)
        elif isinstance(event, PartDeltaEvent) and isinstance(
            event.delta, TextPartDelta
        ):
            ctx.deps.append(event.delta.content_delta)


async def transfer(ctx: RunContext[list[str]], reason: str) -> str:
    """Pasa la conversación al especialista en reembolsos."""
    result = await specialist.run(
        story.ASKED, deps=ctx.deps, event_stream_handler=_tell
    )
    return str(result.output)


coordinator = Agent(
    FunctionModel(stream_function=_coordinate),
    deps_type=list,
    name=story.COORDINATOR,
    output_type=[ToolOutput(transfer, name=HANDOFF), str],
)


async def _turn() -> None:
    told: list[str] = []
    result = await coordinator.run(story.ASKED, deps=told, event_stream_handler=_tell)
    assert str(result.output) == story.ANSWER, result.output
    assert told == story.WORDS, told


async def _together(turns: int) -> None:
    await asyncio.gather(*(_turn() for _ in range(turns)))


if __name__ == "__main__":
    loop = asyncio.new_event_loop()
    obey(lambda turns: loop.run_until_complete(_together(turns)))
