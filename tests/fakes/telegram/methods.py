"""The Bot API's methods that Maya uses, with the errors that Telegram answers.

https://core.telegram.org/bots/api; the descriptions are Telegram's own words.
"""

import json
import re
import time
from collections.abc import Callable
from typing import Any

from .state import USERNAME, Message, State

SECRET_TOKEN = re.compile(r"[A-Za-z0-9_-]{1,256}")
Values = dict[str, Any]


class Refusal(Exception):
    """An error of the Bot API: HTTP status, description, parameters."""

    def __init__(self, status: int, description: str, **parameters: Any) -> None:
        super().__init__(description)
        self.status, self.description = status, description
        self.parameters = parameters


def bad(description: str) -> Refusal:
    return Refusal(400, f"Bad Request: {description}")


def decoded(values: dict[str, str]) -> Values:
    """Read parameters as they come in a form: texts, and JSON for the rest."""
    plain = {"text", "callback_query_id", "url", "secret_token"}
    return {
        name: value if name in plain else _json(value) for name, value in values.items()
    }


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def get_me(state: State, values: Values) -> Values:
    return {
        "id": int(state.token.split(":")[0]),
        "is_bot": True,
        "first_name": "Maya",
        "username": USERNAME,
        "can_join_groups": False,
        "can_read_all_group_messages": False,
        "supports_inline_queries": False,
    }


def send_message(state: State, values: Values) -> Values:
    chat_id, text = values["chat_id"], _text(values)
    if chat_id in state.blocked:
        raise Refusal(403, "Forbidden: bot was blocked by the user")
    message = Message(
        id=state.number(),
        chat_id=chat_id,
        text=text,
        buttons=_buttons(values),
        protected=bool(values.get("protect_content")),
    )
    state.messages[message.id] = message
    return message.wire()


def edit_message_text(state: State, values: Values) -> Values:
    message = state.messages.get(values["message_id"])
    if message is None or message.chat_id != values["chat_id"]:
        raise bad("message to edit not found")
    text, buttons = _text(values), _buttons(values)
    if (message.text, message.buttons) == (text, buttons):
        raise bad(
            "message is not modified: specified new message content and reply markup "
            "are exactly the same as a current content and reply markup of the message"
        )
    message.text, message.buttons = text, buttons
    message.edits += 1
    return message.wire()


def answer_callback_query(state: State, values: Values) -> bool:
    query, text = str(values["callback_query_id"]), values.get("text", "")
    if query not in state.open_queries:
        raise bad(
            "query is too old and response timeout expired or query ID is invalid"
        )
    if len(text) > 200:
        raise bad("MESSAGE_TOO_LONG")
    state.open_queries.remove(query)
    state.answers[query] = text
    return True


def get_updates(state: State, values: Values) -> list[Values]:
    if state.webhook.get("url"):
        raise Refusal(
            409,
            "Conflict: can't use getUpdates method while webhook is active; "
            "use deleteWebhook to delete the webhook first",
        )
    offset, allowed = values.get("offset", 0), values.get("allowed_updates") or []
    deadline = time.monotonic() + values.get("timeout", 0)
    with state.lock:
        state.updates = [u for u in state.updates if u["update_id"] >= offset]
        while not state.updates:
            left = deadline - time.monotonic()
            if left <= 0 or not state.lock.wait(left):
                break
        return [u for u in state.updates if any(kind in u for kind in allowed)]


def set_webhook(state: State, values: Values) -> bool:
    secret = values.get("secret_token", "")
    if secret and not SECRET_TOKEN.fullmatch(secret):
        raise bad("secret token contains unallowed characters")
    state.webhook = values
    return True


def delete_webhook(state: State, values: Values) -> bool:
    state.webhook = {}
    return True


def _text(values: Values) -> str:
    text = values.get("text", "")
    if not text.strip():
        raise bad("message text is empty")
    if len(text.encode("utf-16-le")) // 2 > 4096:
        raise bad("message is too long")
    return str(text)


def _buttons(values: Values) -> list[dict[str, str]]:
    markup = values.get("reply_markup") or {}
    found = [button for row in markup.get("inline_keyboard", []) for button in row]
    for button in found:
        if not 1 <= len(button["callback_data"].encode()) <= 64:
            raise bad("BUTTON_DATA_INVALID")
    return found


METHODS: dict[str, Callable[[State, Values], Any]] = {
    "getMe": get_me,
    "sendMessage": send_message,
    "editMessageText": edit_message_text,
    "answerCallbackQuery": answer_callback_query,
    "getUpdates": get_updates,
    "setWebhook": set_webhook,
    "deleteWebhook": delete_webhook,
}
