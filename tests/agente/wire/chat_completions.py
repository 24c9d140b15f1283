"""The OpenAI chat-completions stream, whole and broken in every way that we know."""

import json
from typing import Any

from .server import Answer


def chunk(delta: dict[str, Any], finish: str | None = None) -> str:
    """Return one event of the stream."""
    event = {
        "id": "cmpl-1",
        "object": "chat.completion.chunk",
        "created": 1,
        "model": "wire",
        "choices": [{"index": 0, "delta": delta, "finish_reason": finish}],
    }
    return f"data: {json.dumps(event)}\n\n"


def piece(
    index: int,
    arguments: str | None = None,
    *,
    name: str | None = None,
    call: str | None = None,
) -> dict[str, Any]:
    """Return a part of one tool call."""
    function = {"name": name, "arguments": arguments}
    known = {key: value for key, value in function.items() if value is not None}
    made: dict[str, Any] = {"index": index, "function": known}
    return made | ({"id": call, "type": "function"} if call else {})


def calls(*pieces: dict[str, Any]) -> str:
    """Return an event with parts of tool calls."""
    return chunk({"tool_calls": list(pieces)})


def begin(name: str = "search_policy", index: int = 0) -> str:
    """Return the event in which a call begins, with its name alone."""
    return calls(piece(index, "", name=name, call=f"call_{index}"))


ROLE = chunk({"role": "assistant", "content": ""})
DONE = "data: [DONE]\n\n"
WHOLE = '{"question": "plazo de devoluciones"}'
HALF_KEY, HALF_VALUE = '{"question', '{"question": "plazo de dev'
NO_BRACE = '{"question": "plazo de devoluciones"'
ASK = '{"fact": "unopened", "question": "¿Sin abrir?"}'
ENDED = chunk({}, "tool_calls")
CUT = chunk({}, "length")
ERROR = 'data: {"error":{"message":"overloaded","type":"server_error","code":500}}\n\n'


def text(*words: str, finish: str | None = "stop") -> Answer:
    """Return a whole answer in words."""
    ending = [chunk({}, finish), DONE] if finish else [DONE]
    return Answer([ROLE, *(chunk({"content": word}) for word in words), *ending])


def call(name: str, arguments: str) -> Answer:
    """Return a whole answer with one call."""
    return Answer([ROLE, begin(name), calls(piece(0, arguments)), ENDED, DONE])


START = [ROLE, begin()]
TWO_OPEN = [*START, calls(piece(0, WHOLE)), begin("ask_customer", 1)]

BROKEN: dict[str, Answer] = {
    "reset in the middle of a key": Answer(
        [*START, calls(piece(0, HALF_KEY))], "abort"
    ),
    "reset in the middle of a value": Answer(
        [*START, calls(piece(0, HALF_VALUE))], "abort"
    ),
    "closed without the last chunk": Answer(
        [*START, calls(piece(0, HALF_VALUE))], "close"
    ),
    "clean end in the middle of a value": Answer([*START, calls(piece(0, HALF_VALUE))]),
    "done in the middle of a value": Answer(
        [*START, calls(piece(0, HALF_VALUE)), DONE]
    ),
    "only the closing brace is missing": Answer([*START, calls(piece(0, NO_BRACE))]),
    "length in the middle of a value": Answer(
        [*START, calls(piece(0, HALF_VALUE)), CUT, DONE]
    ),
    "length before the closing brace": Answer(
        [*START, calls(piece(0, NO_BRACE)), CUT, DONE]
    ),
    "length after a name alone": Answer([ROLE, begin("show_nada"), CUT, DONE]),
    "length in the second of two calls": Answer(
        [*TWO_OPEN, calls(piece(1, HALF_KEY)), CUT, DONE]
    ),
    "a finish, but bad JSON": Answer(
        [*START, calls(piece(0, HALF_VALUE)), ENDED, DONE]
    ),
    "a name alone, then a clean end": Answer(START),
    "a name alone of a tool without arguments": Answer([ROLE, begin("show_nada")]),
    "a name alone, then a reset": Answer([ROLE, begin("show_nada")], "abort"),
    "a name alone of another tool": Answer([ROLE, begin("ask_customer")]),
    "a required argument is missing": Answer(
        [
            ROLE,
            begin("ask_customer"),
            calls(piece(0, '{"fact": "unopened"}')),
            ENDED,
            DONE,
        ]
    ),
    "whole arguments without a finish": Answer([*START, calls(piece(0, WHOLE))]),
    "whole arguments, then a reset": Answer([*START, calls(piece(0, WHOLE))], "abort"),
    "the second of two is cut, clean end": Answer(
        [*TWO_OPEN, calls(piece(1, HALF_KEY))]
    ),
    "the second of two is cut by a reset": Answer(
        [*TWO_OPEN, calls(piece(1, HALF_KEY))], "abort"
    ),
    "an error event in the middle": Answer([*START, calls(piece(0, HALF_KEY)), ERROR]),
    "text, then a reset": Answer(
        [ROLE, chunk({"content": "Hola "}), chunk({"content": "qué"})], "abort"
    ),
    "text, then a clean end": Answer(
        [ROLE, chunk({"content": "Hola "}), chunk({"content": "qué"})]
    ),
    "a 500": Answer([], "500"),
    "text and half a call, then a reset": Answer(
        [ROLE, chunk({"content": "Hola "}), begin(), calls(piece(0, HALF_KEY))],
        "abort",
    ),
}

WHOLE_CALLS: dict[str, tuple[Answer, list[str]]] = {
    "one call": (call("search_policy", WHOLE), ["search_policy"]),
    "two calls in one chunk": (
        Answer(
            [
                ROLE,
                calls(
                    piece(0, WHOLE, name="search_policy", call="call_0"),
                    piece(1, "{}", name="show_nada", call="call_1"),
                ),
                ENDED,
                DONE,
            ]
        ),
        ["search_policy", "show_nada"],
    ),
    "two calls interleaved": (
        Answer(
            [
                ROLE,
                begin(),
                begin("note_answer", 1),
                calls(piece(0, WHOLE[:9])),
                calls(piece(1, '{"fact": "un')),
                calls(piece(0, WHOLE[9:])),
                calls(piece(1, 'opened", "answer": "sí"}')),
                ENDED,
                DONE,
            ]
        ),
        ["search_policy", "note_answer"],
    ),
}
