"""Server-Sent Events: a conversation, or one turn or run of it (WHATWG HTML §9.2).

An answer is bounded in bytes and in time and then ends cleanly, so that the browser
comes back with its cursor: memory stays bounded under servers that buffer all.
"""

import random
from urllib.parse import parse_qs

from . import access, cursor
from .access import Caller
from .answer import Answer, ASGIScope, MethodNotAllowed, Receive, bare, watching
from .drafts import Provisional
from .log import Batch, Encode, Event
from .reader import Frame, Reader
from .scope import Scope

MEDIA_TYPE = b"text/event-stream; charset=utf-8"
MOST_BYTES = 3 * 512 * 1024
"""Of one answer. Daphne keeps in memory whatever a client does not take."""
PING = b": ping\n\n"
AT_ONCE = b"retry: 10\n\n"
"""An answer ends because it is full: whoever still reads comes back without a pause."""
# After a restart everybody comes back: not all in the same moment
RETRY_MILLISECONDS = (1000, 3000)


@bare
async def of_conversation(scope: ASGIScope, receive: Receive, answer: Answer) -> None:
    """``GET /api/conversations/{id}/events``: full envelopes and drafts."""
    _only_get(scope)
    id = scope["path_params"]["id"]
    mine = await access.read(Caller.of(scope), conversation=id)
    await _stream(mine, scope, receive, answer)


@bare
async def of_run(scope: ASGIScope, receive: Receive, answer: Answer) -> None:
    """``GET /api/runs/{id}/events``: payloads alone, of a turn or a run."""
    _only_get(scope)
    mine = await access.read(Caller.of(scope), run=scope["path_params"]["id"])
    await _stream(mine, scope, receive, answer)


async def _stream(
    mine: Scope, scope: ASGIScope, receive: Receive, answer: Answer
) -> None:
    place = cursor.parse(mine, _cursor_text(scope))
    is_whole = mine.run_id is None
    encode = of_event if is_whole else of_payload
    async with Reader(mine, place, drafts=is_whole) as reader:
        with watching(receive, reader.close):
            await answer.begin(MEDIA_TYPE)
            await answer.write(_retry())
            while answer.sent < MOST_BYTES and not reader.is_closed:
                frames = await reader.next()
                await answer.write(_encoded(frames, encode))
            if answer.sent >= MOST_BYTES:
                await answer.write(AT_ONCE)
    await answer.end()


def _encoded(frames: list[Frame], encode: Encode) -> bytes:
    if not frames:
        return PING
    if len(frames) == 1 and isinstance(frames[0], Batch):
        return frames[0].encoded(encode)
    return b"".join(
        frame.encoded(encode) if isinstance(frame, Batch) else of_draft(frame)
        for frame in frames
    )


def of_event(conversation_id: str, event: Event) -> str:
    """Write a full envelope, with the conversation's cursor as its id."""
    position, run_id, seq, kind, payload, created = event
    return (
        f"id: {conversation_id}:{position}\nevent: {kind}\n"
        f'data: {{"id":"{run_id}:{seq}","run_id":"{run_id}","seq":{seq},'
        f'"position":{position},"type":"{kind}","payload":{payload},'
        f'"created":{created}}}\n\n'
    )


def of_payload(conversation_id: str, event: Event) -> str:
    """Write the payload alone, with the run's cursor as its id: the seed's form."""
    return (
        f"id: {event.run_id}:{event.seq}\n"
        f"event: {event.type}\n"
        f"data: {event.payload}\n\n"
    )


def of_draft(frame: Provisional) -> bytes:
    """Write what is provisional: no id, so that no cursor ever points at it."""
    return f"event: {frame.type}\ndata: ".encode() + frame.encoded() + b"\n\n"


def _retry() -> bytes:
    wait = random.randint(*RETRY_MILLISECONDS)  # noqa: S311  a spread, no secret
    return b"retry: %d\n\n" % wait


def _only_get(scope: ASGIScope) -> None:
    if scope["method"] != "GET":
        raise MethodNotAllowed(allow="GET")


def _cursor_text(scope: ASGIScope) -> str:
    """Return the header of a reconnection, else what the address says."""
    for name, value in scope["headers"]:
        if name == b"last-event-id" and value:
            text: str = value.decode("latin-1")
            return text
    query: str = scope["query_string"].decode("latin-1")
    return parse_qs(query, keep_blank_values=True).get("after", [""])[-1]
