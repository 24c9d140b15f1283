"""``POST /api/agente``: a message or a click goes in, the turn's lines come out.

The reader follows the turn; it does not carry it. Whoever hangs up and asks again with
the same ``mensajeId``, or with ``despues``, finds the turn where it got to.
"""

import asyncio
import json
from dataclasses import dataclass
from typing import Any

from psycopg import Error as DatabaseError

from acciones.errors import MayaError, NotFound
from acciones.models import Visitor
from agente import turns
from agente.queue import StartedTurn

from . import access, lines, pool, start
from .access import Caller, Visit
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
from .channel import ENDED
from .drafts import Delta
from .log import Batch, Event
from .reader import Frame, Reader
from .request import MOST_BYTES, Clicked, Request, Resumed, Said, parse
from .scope import Scope

MEDIA_TYPE = b"application/x-ndjson; charset=utf-8"
MOST_SENT = 1024 * 1024
"""Bytes of one answer: Daphne keeps in memory whatever a client does not take."""

CHANGES = """
SELECT id::text FROM acciones_run WHERE conversation_id = %(conversation)s
"""


@dataclass(frozen=True, slots=True)
class Following:
    """What to read: from a position of a conversation to the end of a turn.

    Without a turn, to the end of what there is. ``replay`` is read instead.
    """

    scope: Scope
    after: int
    turn: str | None
    replay: list[dict[str, Any]] | None = None


@bare
async def agent(scope: ASGIScope, receive: Receive, answer: Answer) -> None:
    """Take a body, start or find its turn, and send lines until the turn's end."""
    if scope["method"] != "POST":
        raise MethodNotAllowed(allow="POST")
    caller = Caller.of(scope)
    demand_json(scope)
    request = parse(await read_body(receive, most=MOST_BYTES))
    following = await _begin(caller, request)
    await answer.begin(MEDIA_TYPE)
    try:
        if following.replay is None:
            await _follow(following, receive, answer)
        else:
            await _repeat(following, answer)
    except DatabaseError:
        await _say(answer, Unavailable())
    except Continues as more:
        await _say(answer, more)
    await answer.write(lines.END)
    await answer.end()


async def _begin(caller: Caller, request: Request) -> Following:
    visit = await access.visit(
        caller,
        site=request.site,
        conversation=str(request.conversation) if request.conversation else None,
    )
    if request.conversation and visit.scope is None:
        raise NotFound
    if isinstance(request, Resumed):
        return _resume(visit, request)
    started = await asyncio.to_thread(
        start.for_visitor, visit, lambda visitor: _start(visitor, request)
    )
    turn = str(started.turn_id)
    place = Scope(
        conversation_id=str(started.conversation_id),
        run_id=None,
        last=started.position,
        position=started.position,
        open_turns=(turn,),
    )
    return Following(place, started.position, turn, started.replay)


def _resume(visit: Visit, request: Resumed) -> Following:
    """Follow to the end of the last turn that is still open, if any is."""
    if visit.scope is None:
        raise NotFound
    turn = visit.scope.open_turns[-1] if visit.scope.open_turns else None
    return Following(visit.scope, request.after, turn)


def _start(visitor: Visitor, request: Said | Clicked) -> StartedTurn:
    if isinstance(request, Said):
        return turns.start_message(
            visitor=visitor,
            conversation_id=request.conversation,
            message_id=request.message_id,
            text=request.text,
        )
    return turns.start_action(
        visitor=visitor,
        conversation_id=request.conversation,
        action=request.action,
        version=request.version,
    )


async def _repeat(following: Following, answer: Answer) -> None:
    """Send a finished click's lines again, as they were."""
    conversation_id = following.scope.conversation_id
    changes = await _changes(conversation_id)
    for event in following.replay or []:
        if not _is_of_change(event["type"], event["run_id"], changes):
            await answer.write(lines.of_event(conversation_id, event))


async def _follow(following: Following, receive: Receive, answer: Answer) -> None:
    scope = following.scope
    changes = await _changes(scope.conversation_id)
    is_live = following.turn is not None
    async with Reader(scope, following.after, follow=is_live) as reader:
        with watching(receive, reader.close):
            while not reader.is_closed:
                frames = await reader.next()
                text, has_ended = _lines(frames, following.turn, changes)
                await answer.write(text)
                if has_ended:
                    return
                if answer.sent > MOST_SENT:
                    raise Continues
    if is_live:
        raise Continues


def _lines(
    frames: list[Frame], turn: str | None, changes: set[str]
) -> tuple[bytes, bool]:
    """Return the frames' lines, and whether the turn ends with the last of them."""
    said: list[bytes] = []
    for frame in frames:
        if isinstance(frame, Delta):
            said.append(lines.of_delta(frame))
        elif isinstance(frame, Batch):
            for event in frame.events:
                said.append(_line(frame.conversation_id, event, changes))
                if turn is not None and _ends(event, turn):
                    return b"".join(said), True
    return b"".join(said), False


def _line(conversation_id: str, event: Event, changes: set[str]) -> bytes:
    if event.type == "proposal.created":
        changes.add(event.run_id)
    if _is_of_change(event.type, event.run_id, changes):
        return b""
    return lines.of_event(conversation_id, json.loads(event.envelope()))


def _is_of_change(kind: str, run_id: str, changes: set[str]) -> bool:
    """Say whether a status is a change's: its receipt tells it, not the agent."""
    return kind == "run.status" and run_id in changes


def _ends(event: Event, turn: str) -> bool:
    if event.type == "run.status" and event.run_id == turn:
        return json.loads(event.payload)["status"] in ENDED
    if event.type == "snapshot":
        known = json.loads(event.payload)["turns"].get(turn)
        return known is not None and known["status"] in ENDED
    return False


async def _changes(conversation_id: str) -> set[str]:
    found = await pool.rows(CHANGES, {"conversation": conversation_id})
    return {row[0] for row in found}


async def _say(answer: Answer, error: MayaError) -> None:
    await answer.write(lines.of_error(error.code, error.detail))
