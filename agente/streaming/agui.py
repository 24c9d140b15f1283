"""``POST /api/ag-ui/{site}``: a turn for clients that speak AG-UI 1.0, over SSE.

The same visitors, turns and reader as everywhere. ``runId`` is the message's id: a run
that is asked for again is told again from its beginning, and happens once.
"""

import asyncio
from collections.abc import Iterable

from ag_ui.core import BaseEvent
from ag_ui.encoder import EventEncoder
from django.db import transaction
from psycopg import Error as DatabaseError

from acciones.models import Visitor
from agente import turns
from agente.queue import StartedTurn

from . import access, start
from .access import Caller
from .agui_events import Telling
from .agui_request import MOST_BYTES, Asked, conversation_of, parse
from .answer import (
    Answer,
    ASGIScope,
    Continues,
    MethodNotAllowed,
    Receive,
    Unavailable,
    bare,
    demand_json,
    read_body,
    watching,
)
from .log import Batch
from .reader import Frame, Reader
from .scope import Scope
from .sse import MEDIA_TYPE, PING

MOST_SENT = 1024 * 1024
"""Bytes of one answer: Daphne keeps in memory whatever a client does not take."""

_encoder = EventEncoder()


@bare
async def run(scope: ASGIScope, receive: Receive, answer: Answer) -> None:
    """Take a run's input, start or find its turn, and tell it until it ends."""
    if scope["method"] != "POST":
        raise MethodNotAllowed(allow="POST")
    caller = Caller.of(scope)
    demand_json(scope)
    asked = parse(await read_body(receive, most=MOST_BYTES))
    visit = await access.visit(caller, site=scope["path_params"]["site"])
    started = await asyncio.to_thread(
        start.for_visitor, visit, lambda visitor: _start(visitor, asked)
    )
    telling = Telling(asked, str(started.turn_id))
    await answer.begin(MEDIA_TYPE)
    await answer.write(_encoded([telling.begin()]))
    try:
        await _follow(started, telling, receive, answer)
        if not telling.has_ended:
            more = Continues("Aún hay más: pide otra vez la misma ejecución.")
            await answer.write(_encoded([telling.broken_off(more)]))
    except DatabaseError:
        await answer.write(_encoded([telling.broken_off(Unavailable())]))
    await answer.end()


def _start(visitor: Visitor, asked: Asked) -> StartedTurn:
    # In one transaction: a message that is refused begins no conversation
    with transaction.atomic():
        return turns.start_message(
            visitor=visitor,
            conversation_id=conversation_of(visitor, asked.thread_id),
            message_id=asked.run_id,
            text=asked.text,
        )


async def _follow(
    started: StartedTurn, telling: Telling, receive: Receive, answer: Answer
) -> None:
    place = Scope(
        conversation_id=str(started.conversation_id),
        run_id=None,
        last=started.position,
        position=started.position,
        open_turns=(str(started.turn_id),),
    )
    async with Reader(place, started.position, drafts=False) as reader:
        with watching(receive, reader.close):
            while not (reader.is_closed or telling.has_ended):
                frames = await reader.next()
                await answer.write(_encoded(_told(telling, frames)) or PING)
                if answer.sent > MOST_SENT:
                    return


def _told(telling: Telling, frames: list[Frame]) -> Iterable[BaseEvent]:
    for frame in frames:
        if isinstance(frame, Batch):
            for event in frame.events:
                yield from telling.tell(event)
                if telling.has_ended:
                    return


def _encoded(events: Iterable[BaseEvent]) -> bytes:
    return "".join(_encoder.encode(event) for event in events).encode()
