"""A turn's events as AG-UI 1.0 has them: facts alone, each told once.

Drafts are left out: AG-UI cannot take back text, and an attempt may have to. What AG-UI
has no word for (phases, hand-offs, proposals, A2UI surfaces) is a ``CUSTOM`` event.
"""

import json
from collections.abc import Iterator
from typing import Any

from ag_ui.core import (
    PROTOCOL_VERSION,
    BaseEvent,
    CustomEvent,
    RunErrorEvent,
    RunFinishedCancelledOutcome,
    RunFinishedEvent,
    RunFinishedSuccessOutcome,
    RunStartedEvent,
    TextMessageContentEvent,
    TextMessageEndEvent,
    TextMessageStartEvent,
    ToolCallArgsEvent,
    ToolCallEndEvent,
    ToolCallResultEvent,
    ToolCallStartEvent,
)

from acciones.errors import MayaError
from maya.lib import canonical

from .agui_request import Asked
from .channel import ENDED
from .log import Event

CUSTOM = {
    "run.status": "status",
    "agent.handoff": "handoff",
    "proposal.created": "proposal",
}


class TurnFailed(MayaError):
    """No pudimos terminar esta respuesta."""

    code = "turn_failed"


class Telling:
    """One turn on its way to an AG-UI client; ``has_ended`` after its last event."""

    def __init__(self, asked: Asked, turn_id: str) -> None:
        self._asked = asked
        self._turn = turn_id
        self._calls: set[str] = set()
        self.has_ended = False

    def begin(self) -> BaseEvent:
        """Return the first event."""
        return RunStartedEvent(
            thread_id=self._asked.thread_id,
            run_id=self._asked.run_id,
            protocol_version=PROTOCOL_VERSION,
        )

    def broken_off(self, error: MayaError) -> BaseEvent:
        """Return the last event of a stream that does not get to the turn's end."""
        self.has_ended = True
        return RunErrorEvent(message=error.detail, code=error.code)

    def tell(self, event: Event) -> Iterator[BaseEvent]:
        """Return what an event is in AG-UI's words: of this turn, and its proposals."""
        payload = json.loads(event.payload)
        if event.type == "snapshot":
            yield from self._all_of(payload)
        elif event.type == "proposal.created":
            yield _custom(event.type, payload)
        elif event.run_id == self._turn:
            yield from self._own(event.type, payload)

    def _own(self, kind: str, payload: dict[str, Any]) -> Iterator[BaseEvent]:
        if kind == "message.completed":
            yield from _message(payload["message_id"], payload)
        elif kind == "tool.started":
            yield from self._call(payload)
        elif kind == "tool.completed" and payload["call_id"] in self._calls:
            yield _result(payload)
        elif kind == "surface.updated":
            yield CustomEvent(name="a2ui", value=payload["message"])
        elif kind == "run.status" and payload["status"] in ENDED:
            yield self._end(payload["status"], payload.get("reason"))
        elif kind in CUSTOM:
            yield _custom(kind, payload)

    def _call(self, payload: dict[str, Any]) -> Iterator[BaseEvent]:
        call_id = payload["call_id"]
        # A worker that took over from a dead one may tell again what it reads again
        if call_id in self._calls:
            return
        self._calls.add(call_id)
        given = canonical.compact(payload["params"]).decode()
        yield ToolCallStartEvent(tool_call_id=call_id, tool_call_name=payload["name"])
        yield ToolCallArgsEvent(tool_call_id=call_id, delta=given)
        yield ToolCallEndEvent(tool_call_id=call_id)

    def _all_of(self, view: dict[str, Any]) -> Iterator[BaseEvent]:
        """Tell what is left of an old turn, whose events are gone."""
        for message in view["messages"]:
            if message["run_id"] == self._turn and message["author"] == "agent":
                yield from _message(message["id"], message)
        known = view["turns"].get(self._turn)
        if known is not None and known["status"] in ENDED:
            yield self._end(known["status"], None)

    def _end(self, status: str, reason: str | None) -> BaseEvent:
        self.has_ended = True
        if status == "failed":
            code = reason or TurnFailed.code
            return RunErrorEvent(message=TurnFailed().detail, code=code)
        return RunFinishedEvent(
            thread_id=self._asked.thread_id,
            run_id=self._asked.run_id,
            outcome=RunFinishedCancelledOutcome()
            if status == "stopped"
            else RunFinishedSuccessOutcome(),
        )


def _message(message_id: str, payload: dict[str, Any]) -> Iterator[BaseEvent]:
    yield TextMessageStartEvent(
        message_id=message_id,
        role="assistant",
        metadata={"sources": payload["sources"]},
    )
    if payload["text"]:
        yield TextMessageContentEvent(message_id=message_id, delta=payload["text"])
    yield TextMessageEndEvent(message_id=message_id)


def _result(payload: dict[str, Any]) -> BaseEvent:
    """Say how a call went: what it returned stays with the agent, as on every wire."""
    return ToolCallResultEvent(
        message_id=payload["operation_id"],
        tool_call_id=payload["call_id"],
        content=canonical.compact({"ok": payload["ok"]}).decode(),
    )


def _custom(kind: str, payload: dict[str, Any]) -> BaseEvent:
    return CustomEvent(name=CUSTOM[kind], value=payload)
