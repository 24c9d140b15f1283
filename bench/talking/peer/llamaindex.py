"""LlamaIndex's ``AgentWorkflow``: two function agents and its own hand-off tool."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from typing import Any

from llama_index.core.agent.workflow import AgentStream, AgentWorkflow, FunctionAgent
from llama_index.core.base.llms.types import (
    ChatMessage,
    ChatResponse,
    MessageRole,
    ToolCallBlock,
)
from llama_index.core.llms.mock import MockFunctionCallingLLM

from bench.talking import story
from bench.talking.orders import obey


class Coordinate(MockFunctionCallingLLM):  # type: ignore[misc]  # Any, with no package here
    """Hands over at once."""

    async def astream_chat(
        self, messages: Sequence[ChatMessage], **more: Any
    ) -> AsyncGenerator[ChatResponse, None]:
        """Stream one call."""
        to = {"to_agent": story.SPECIALIST, **story.REASON}
        return _call(0, "handoff", to)


class Specialize(MockFunctionCallingLLM):  # type: ignore[misc]  # Any, with no package here
    """Calls the tools one after the other, then answers."""

    async def astream_chat(
        self, messages: Sequence[ChatMessage], **more: Any
    ) -> AsyncGenerator[ChatResponse, None]:
        """Stream the step that follows what was seen."""
        # The hand-off itself is told to the specialist's model as one result
        names = [name for name, _ in story.CALLS]
        made = sum(
            isinstance(block, ToolCallBlock) and block.tool_name in names
            for message in messages
            for block in message.blocks
        )
        return _call(made + 1, *story.CALLS[made]) if made < len(names) else _answer()


async def _call(
    place: int, name: str, arguments: dict[str, Any]
) -> AsyncGenerator[ChatResponse, None]:
    await story.PACE.begin()
    block = ToolCallBlock(
        tool_call_id=f"c{place}", tool_name=name, tool_kwargs=arguments
    )
    yield ChatResponse(
        message=ChatMessage(role=MessageRole.ASSISTANT, blocks=[block]), delta=""
    )


async def _answer() -> AsyncGenerator[ChatResponse, None]:
    await story.PACE.begin()
    text = ""
    async for word in story.PACE.words():
        text += word
        message = ChatMessage(role=MessageRole.ASSISTANT, content=text)
        yield ChatResponse(message=message, delta=word)


async def search_policy(question: str) -> str:
    """Busca en las políticas del sitio."""
    return story.POLICY


async def lookup_get_order(order_id: str) -> dict[str, Any]:
    """Consulta un pedido del cliente."""
    return story.ORDER


async def change_refund_order(
    order_id: str, amount: str, reason: str
) -> dict[str, Any]:
    """Prepara la propuesta de un reembolso."""
    return story.PROPOSED


def _workflow() -> AgentWorkflow:
    coordinator = FunctionAgent(
        name=story.COORDINATOR,
        description="Recibe al cliente.",
        system_prompt="Pasa cada asunto a quien lo sabe.",
        tools=[],
        llm=Coordinate(),
        can_handoff_to=[story.SPECIALIST],
    )
    specialist = FunctionAgent(
        name=story.SPECIALIST,
        description="Prepara reembolsos.",
        system_prompt="Consulta, y prepara la propuesta.",
        tools=[search_policy, lookup_get_order, change_refund_order],
        llm=Specialize(),
        can_handoff_to=[],
    )
    return AgentWorkflow(
        agents=[coordinator, specialist], root_agent=story.COORDINATOR, timeout=None
    )


workflow = _workflow()


async def _turn() -> None:
    told: list[str] = []
    handler = workflow.run(user_msg=story.ASKED)
    async for event in handler.stream_events():
        if isinstance(event, AgentStream) and event.delta:
            told.append(event.delta)
    result = await handler
    assert str(result).strip() == story.ANSWER.strip(), str(result)
    assert told == story.WORDS, told


async def _together(turns: int) -> None:
    await asyncio.gather(*(_turn() for _ in range(turns)))


if __name__ == "__main__":
    loop = asyncio.new_event_loop()
    obey(lambda turns: loop.run_until_complete(_together(turns)))
