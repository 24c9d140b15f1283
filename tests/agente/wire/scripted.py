"""The house's script behind a wire: a whole conversation over either format."""

import json
from typing import Any

from agente.language.fence import unfenced
from agente.language.script import Answer as Scripted
from agente.language.script import script
from agente.language.situation import Situation

from . import chat_completions, messages
from .server import Answer


def over_chat_completions(request: dict[str, Any]) -> Answer:
    """Answer an OpenAI request as the script would."""
    seen = Situation(tools={tool["function"]["name"] for tool in request["tools"]})
    names: dict[str, tuple[str, str]] = {}
    asked = ""
    for message in request["messages"]:
        if message["role"] == "user":
            asked = _heard(seen, _plain(message["content"]), asked)
        for call in message.get("tool_calls") or ():
            function = call["function"]
            names[call["id"]] = (function["name"], function["arguments"])
        if message["role"] == "tool":
            name, arguments = names[message["tool_call_id"]]
            asked = _told(seen, name, json.loads(arguments), message["content"], asked)
    return _as_chat_completions(script().answer(seen))


def over_messages(request: dict[str, Any]) -> Answer:
    """Answer an Anthropic request as the script would."""
    seen = Situation(tools={tool["name"] for tool in request["tools"]})
    names: dict[str, tuple[str, Any]] = {}
    asked = ""
    for message in request["messages"]:
        content = message["content"]
        blocks = (
            [{"type": "text", "text": content}] if isinstance(content, str) else content
        )
        for block in blocks:
            if block["type"] == "tool_use":
                names[block["id"]] = (block["name"], block["input"])
            elif block["type"] == "tool_result":
                name, arguments = names[block["tool_use_id"]]
                asked = _told(seen, name, arguments, _plain(block["content"]), asked)
            elif message["role"] == "user":
                asked = _heard(seen, block["text"], asked)
    return _as_messages(script().answer(seen))


def _blocks(content: Any) -> list[dict[str, Any]]:
    return [{"type": "text", "text": content}] if isinstance(content, str) else content


def _plain(content: Any) -> str:
    if isinstance(content, str):
        return content
    return "".join(part["text"] for part in content)


def _heard(seen: Situation, text: str, asked: str) -> str:
    seen.earlier |= seen.results
    seen.results, seen.asked = {}, asked
    seen.action = unfenced(text)
    if not seen.action:
        seen.said.append(text)
    return ""


def _told(
    seen: Situation, name: str, arguments: dict[str, Any], text: str, asked: str
) -> str:
    seen.results[name] = unfenced(text)
    return str(arguments["fact"]) if name == "ask_customer" else asked


def _as_chat_completions(answer: Scripted) -> Answer:
    pieces = [chat_completions.ROLE]
    if answer.text:
        pieces.append(chat_completions.chunk({"content": answer.text}))
    for index, (name, arguments) in enumerate(answer.calls):
        text = json.dumps(arguments)
        pieces.append(chat_completions.begin(name, index))
        for part in (text[:7], text[7:]):
            pieces.append(chat_completions.calls(chat_completions.piece(index, part)))
    finish = "tool_calls" if answer.calls else "stop"
    return Answer([*pieces, chat_completions.chunk({}, finish), chat_completions.DONE])


def _as_messages(answer: Scripted) -> Answer:
    pieces = [messages.START]
    if answer.text:
        pieces += messages.words(0, answer.text)
    for index, (name, arguments) in enumerate(answer.calls, start=1):
        text = json.dumps(arguments)
        pieces += messages.used(index, name, text[:7], text[7:])
    reason = "tool_use" if answer.calls else "end_turn"
    return Answer([*pieces, messages.ended(reason), messages.STOP])
