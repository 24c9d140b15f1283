"""Anthropic's message stream, whole and broken."""

import json
from typing import Any

from .server import Answer


def event(kind: str, **body: Any) -> str:
    """Return one event of the stream."""
    return f"event: {kind}\ndata: {json.dumps({'type': kind, **body})}\n\n"


START = event(
    "message_start",
    message={
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "wire",
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "usage": {"input_tokens": 10, "output_tokens": 1},
    },
)
STOP = event("message_stop")


def ended(reason: str) -> str:
    """Return the event that says why it ended."""
    return event(
        "message_delta",
        delta={"stop_reason": reason, "stop_sequence": None},
        usage={"output_tokens": 20},
    )


def words(index: int, *texts: str, close: bool = True) -> list[str]:
    """Return a text block."""
    block = {"type": "text", "text": ""}
    pieces = [event("content_block_start", index=index, content_block=block)]
    for text in texts:
        delta = {"type": "text_delta", "text": text}
        pieces.append(event("content_block_delta", index=index, delta=delta))
    return [*pieces, *_closed(index, close)]


def used(index: int, name: str, *parts: str, close: bool = True) -> list[str]:
    """Return a tool-use block."""
    block = {"type": "tool_use", "id": f"toolu_{index}", "name": name, "input": {}}
    pieces = [event("content_block_start", index=index, content_block=block)]
    for part in parts:
        delta = {"type": "input_json_delta", "partial_json": part}
        pieces.append(event("content_block_delta", index=index, delta=delta))
    return [*pieces, *_closed(index, close)]


def _closed(index: int, close: bool) -> list[str]:
    return [event("content_block_stop", index=index)] if close else []


WHOLE, HALF = '{"question": "plazo de devoluciones"}', '{"question": "plazo de dev'
OVERLOADED = event("error", error={"type": "overloaded_error", "message": "Overloaded"})
CALL = used(0, "search_policy", WHOLE[:9], WHOLE[9:])


def text(*texts: str) -> Answer:
    """Return a whole answer in words."""
    return Answer([START, *words(0, *texts), ended("end_turn"), STOP])


BROKEN: dict[str, Answer] = {
    "reset in the middle of a value": Answer(
        [START, *used(0, "search_policy", HALF, close=False)], "abort"
    ),
    "clean end in the middle of a value": Answer(
        [START, *used(0, "search_policy", HALF, close=False)]
    ),
    "closed in the middle of a value": Answer(
        [START, *used(0, "search_policy", HALF, close=False)], "close"
    ),
    "max_tokens in the middle of a value": Answer(
        [START, *used(0, "search_policy", HALF), ended("max_tokens"), STOP]
    ),
    "max_tokens after whole arguments": Answer(
        [START, *CALL, ended("max_tokens"), STOP]
    ),
    "whole arguments without a reason": Answer([START, *CALL]),
    "whole arguments, then a reset": Answer([START, *CALL], "abort"),
    "a name alone": Answer([START, *used(0, "show_nada", close=False)]),
    "the second of two is cut": Answer(
        [START, *CALL, *used(1, "ask_customer", '{"fact"', close=False)], "abort"
    ),
    "bad JSON with a reason": Answer(
        [START, *used(0, "search_policy", HALF), ended("tool_use"), STOP]
    ),
    "text, then a reset": Answer([START, *words(0, "Hola ", close=False)], "abort"),
    "an error event": Answer([START, *words(0, "Hola ", close=False), OVERLOADED]),
    "a 529": Answer([], "529"),
    "a 500": Answer([], "500"),
}
