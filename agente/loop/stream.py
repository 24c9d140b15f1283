"""Streams one answer: the network on the process's loop, rows and drafts here.

Provisional text goes to readers over Redis as it comes; it becomes a message only
when the whole answer was accepted.
"""

import asyncio
import queue
import time
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import Any

from pydantic_ai.direct import model_request_stream
from pydantic_ai.messages import (
    ModelMessage,
    ModelResponse,
    PartDeltaEvent,
    PartStartEvent,
    TextPart,
    TextPartDelta,
    ToolCallPart,
)
from pydantic_ai.models import ModelRequestParameters

from agente import cite
from agente.language.speaker import Speaker
from maya.lib import background, wake

from .lease import Held, LeaseLost

FLUSH_SECONDS = 0.04
"""Deltas closer together than this travel together: 25 a second is fluent to read."""
LOOK_SECONDS = 0.25
ANSWER_SECONDS = 120
"""One whole answer; a model that takes longer has lost its reader."""

END = object()


@dataclass
class Draft:
    """The provisional text of one attempt, published as it grows.

    ``names`` are the tools of the agent: others that a model makes up go nowhere.
    """

    held: Held
    attempt: int
    on_text: Callable[[], None]
    names: Collection[str] = ()
    text: str = ""
    shown: str = ""
    sent: int = 0
    flushed: float = field(default=0.0)

    def take(self, event: Any) -> None:
        """Take one event of the stream; kinds that we do not know are ignored."""
        if isinstance(event, PartStartEvent):
            if isinstance(event.part, ToolCallPart) and event.part.tool_name in (
                self.names
            ):
                wake.preparing(
                    self.held.conversation_id,
                    self.held.turn_id,
                    attempt=self.attempt,
                    name=event.part.tool_name,
                )
            elif isinstance(event.part, TextPart):
                self._add(event.part.content)
        elif isinstance(event, PartDeltaEvent) and isinstance(
            event.delta, TextPartDelta
        ):
            self._add(event.delta.content_delta)

    def _add(self, text: str) -> None:
        if not text:
            return
        first, self.text = not self.text, self.text + text
        shown = cite.so_far(self.text)
        if shown.startswith(self.shown):
            self.shown = shown
        if first:
            self.flush()
            self.on_text()

    def flush(self, *, due: bool = True) -> None:
        """Publish what is not published yet."""
        if self.sent == len(self.shown) or not due:
            return
        wake.draft(
            self.held.conversation_id,
            self.held.turn_id,
            attempt=self.attempt,
            offset=self.sent,
            text=self.shown[self.sent :],
            so_far=self.shown,
        )
        self.sent, self.flushed = len(self.shown), time.monotonic()

    @property
    def is_due(self) -> bool:
        """Say whether enough time passed since the last piece."""
        return time.monotonic() - self.flushed >= FLUSH_SECONDS


def stream(
    held: Held,
    speaker: Speaker,
    messages: list[ModelMessage],
    parameters: ModelRequestParameters,
    draft: Draft,
) -> ModelResponse:
    """Return the model's whole response; raises what the model or network raises.

    Raises ``LeaseLost`` as soon as the turn is stopped or taken by another worker;
    the request is cancelled then.
    """
    events: queue.SimpleQueue[Any] = queue.SimpleQueue()
    future = asyncio.run_coroutine_threadsafe(
        _pump(speaker, messages, parameters, events), background.loop()
    )
    future.add_done_callback(lambda _: events.put(END))
    try:
        while (event := _next(events, draft)) is not END:
            if held.lost.is_set():
                raise LeaseLost
            if event is not None:
                draft.take(event)
            draft.flush(due=draft.is_due)
        draft.flush()
        return future.result()
    finally:
        future.cancel()


def _next(events: "queue.SimpleQueue[Any]", draft: Draft) -> Any:
    waiting = draft.sent < len(draft.shown)
    try:
        return events.get(timeout=FLUSH_SECONDS if waiting else LOOK_SECONDS)
    except queue.Empty:
        return None


async def _pump(
    speaker: Speaker,
    messages: list[ModelMessage],
    parameters: ModelRequestParameters,
    events: "queue.SimpleQueue[Any]",
) -> ModelResponse:
    async with (
        asyncio.timeout(ANSWER_SECONDS),
        model_request_stream(
            speaker.model,
            messages,
            model_settings=speaker.settings,
            model_request_parameters=parameters,
        ) as answer,
    ):
        async for event in answer:
            events.put(event)
        return answer.get()
