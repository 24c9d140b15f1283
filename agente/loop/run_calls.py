"""Runs stored calls: reads together, effects one by one, each result with its row."""

import asyncio
import logging
from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction
from django.db.models.functions import Now

from acciones import events
from acciones.errors import MayaError
from acciones.models import Conversation
from acciones.readers import UNKNOWN, Reading
from agente.models import ToolCall, Turn
from agente.queue import TABLE
from agente.say import say
from agente.tools import questions
from agente.tools.tool import Context, Result, Tool, refused
from maya.lib import background, trace

from . import status
from .lease import Held

READ_SECONDS = 45
"""All reads of one response together; each has its own shorter deadline."""

logger = logging.getLogger(__name__)


def run_calls(
    held: Held,
    conversation: Conversation,
    tools: Mapping[str, Tool],
    calls: Sequence[ToolCall],
) -> None:
    """Run the calls of an accepted response from their rows; raises ``LeaseLost``.

    A read that was started before a crash runs again. An effect has its rows, its
    result and its event in one transaction, so there is nothing to repeat.
    """
    turn = _start(held, tools, calls)
    reads = [call for call in calls if call.name in tools and tools[call.name].is_read]
    readings = _fetch_all(turn, conversation, tools, reads)
    for call in sorted(calls, key=_order):
        _finish(held, conversation, tools.get(call.name), call, readings.get(call.pk))


def _order(call: ToolCall) -> tuple[bool, int]:
    # A question ends the turn, so it waits for what was called beside it
    return call.name == questions.ASK, call.place


def _start(held: Held, tools: Mapping[str, Tool], calls: Sequence[ToolCall]) -> Turn:
    with held.writing() as turn:
        for call in calls:
            tool = tools.get(call.name)
            if call.state != ToolCall.State.STORED:
                continue
            call.state, call.started = ToolCall.State.STARTED, Now()
            call.save(update_fields=["state", "started"])
            if tool is not None and tool.told:
                events.append(
                    TABLE,
                    turn.pk,
                    type="tool.started",
                    payload={
                        "call_id": call.call_id,
                        "operation_id": str(call.pk),
                        "name": tool.told,
                        "params": {**tool.bound, **call.arguments},
                    },
                )
        return turn


def _fetch_all(
    turn: Turn,
    conversation: Conversation,
    tools: Mapping[str, Tool],
    reads: Sequence[ToolCall],
) -> dict[Any, Reading]:
    """Ask the outside for every read at once; silence is ``unknown``."""
    asked = [
        (call, fetch(Context(turn, conversation, call)))
        for call in reads
        if (fetch := tools[call.name].fetch) is not None
    ]
    if not asked:
        return {}
    names = " ".join(call.name for call, _ in asked)
    with trace.span("tools", action=names):
        answers = background.run(_gather([work for _, work in asked]))
    return {call.pk: answer for (call, _), answer in zip(asked, answers, strict=True)}


async def _gather(works: list[Any]) -> list[Reading]:
    async def one(work: Any) -> Reading:
        try:
            async with asyncio.timeout(READ_SECONDS):
                answer: Reading = await work
                return answer
        except Exception as error:  # noqa: BLE001  told to nobody as it is
            logger.warning("read failed: %s", type(error).__name__)
            return Reading(UNKNOWN, detail=type(error).__name__)

    return await asyncio.gather(*(one(work) for work in works))


def _finish(
    held: Held,
    conversation: Conversation,
    tool: Tool | None,
    call: ToolCall,
    reading: Reading | None,
) -> None:
    with held.writing(offers=tool is not None and not tool.is_read) as turn:
        result = _result(Context(turn, conversation, call), tool, reading)
        call.state = ToolCall.State.DONE if result.ok else ToolCall.State.FAILED
        call.result, call.finished = result.value, Now()
        call.evidence, call.run = result.evidence, result.run
        call.save()
        if tool is not None and tool.told:
            _tell(turn, call, result)
        if result.ends:
            say(turn, result.ends)
            status.end(turn, Turn.State.DONE)


def _tell(turn: Turn, call: ToolCall, result: Result) -> None:
    artifact = result.evidence or result.run
    events.append(
        TABLE,
        turn.pk,
        type="tool.completed",
        payload={
            "call_id": call.call_id,
            "operation_id": str(call.pk),
            "artifact_id": str(artifact.pk) if artifact else None,
            "ok": result.ok,
        },
    )


def _result(context: Context, tool: Tool | None, reading: Reading | None) -> Result:
    """Return what a tool gives; what it raises is told in our words alone."""
    if tool is None:
        return refused("unavailable", "Esa herramienta ya no está disponible.")
    try:
        with transaction.atomic():
            if tool.effect is not None:
                return tool.effect(context)
            assert tool.store is not None  # noqa: S101  a read has one, see Tool
            return tool.store(context, reading or Reading(UNKNOWN))
    except MayaError as error:
        return refused(error.code, error.detail, **_missing(error))
    except Exception:
        logger.exception("tool %s failed", tool.name)
        return refused("tool_failed", "La herramienta falló.")


def _missing(error: MayaError) -> dict[str, Any]:
    return {"missing": error.extra["missing"]} if "missing" in error.extra else {}
