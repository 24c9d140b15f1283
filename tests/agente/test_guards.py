"""Answers that fit no row are refused before anything of them is stored."""

import pytest
from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart

from agente.language.scripted import scripted
from agente.language.speaker import Speaker
from agente.loop.guards import Rejected, accepted
from agente.tools.tool import Tool, schema, text

TOOLS = {"note": Tool("note", "Notes.", schema({"answer": text("What.", 300)}))}
CALL = {"answer": "sí"}


def judge(*parts: TextPart | ToolCallPart) -> int:
    """Return how many calls of an answer count."""
    speaker = Speaker(scripted(), "scripted", network=False)
    return len(accepted(ModelResponse(parts=list(parts)), speaker, TOOLS))


@pytest.mark.parametrize(
    ("part", "diagnosis"),
    [
        (TextPart("Hola\x00"), "bad_text"),
        (TextPart("Hola \ud83d"), "bad_text"),
        (ToolCallPart("note", {"answer": "\x00"}, "c-1"), "bad_text"),
        (ToolCallPart("note", {"answer": "\ud83d"}, "c-1"), "bad_text"),
        (ToolCallPart("note", '{"answer": "\\u0000"}', "c-1"), "bad_json"),
        (ToolCallPart("note", CALL, "c\x00"), "bad_text"),
        (ToolCallPart("note", CALL, "c" * 201), "bad_call"),
        (ToolCallPart("note", CALL, ""), "bad_call"),
    ],
)
def test_what_no_row_can_hold_is_refused(
    part: TextPart | ToolCallPart, diagnosis: str
) -> None:
    with pytest.raises(Rejected) as refused:
        judge(part)
    assert refused.value.diagnosis == diagnosis


def test_what_a_row_can_hold_is_taken() -> None:
    written = r"El texto \u0000 no es NUL 😀"
    assert judge(TextPart(written), ToolCallPart("note", CALL, "c" * 200)) == 1
