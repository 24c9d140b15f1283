"""What people do in this Telegram, and what the tests look at."""

import json
import urllib.error
import urllib.request
from typing import Any

from .state import Account, Message, Mood, State

SECRET_HEADER = "X-Telegram-Bot-Api-Secret-Token"


class Control:
    """Hands on the chats: write, tap, block; and eyes on what the bot did."""

    def __init__(self, state: State) -> None:
        self.state = state

    # What the bot did

    def chat(self, account: Account | int) -> list[Message]:
        """Return the bot's messages in a chat, as they stand now."""
        chat_id = account if isinstance(account, int) else account.id
        return [m for m in self.state.messages.values() if m.chat_id == chat_id]

    def calls(self, method: str) -> list[dict[str, Any]]:
        """Return the parameters of each call of a method so far."""
        return [values for name, values in self.state.calls if name == method]

    # How it behaves

    def behave(self, kind: int | str, **how: Any) -> None:
        """Answer otherwise from now on; see ``Mood``."""
        with self.state.lock:
            self.state.moods.append(Mood(kind, **how))

    def be_well(self) -> None:
        """Answer as usual."""
        with self.state.lock:
            self.state.moods.clear()

    # What people do; each returns the update

    def say(
        self, account: Account, text: str, *, chat: dict[str, Any] | None = None
    ) -> dict[str, Any]:
        """Write a message, in the private chat if no other is given."""
        message = {
            "message_id": self.state.number(),
            "date": 1_700_000_000,
            "from": account.wire(),
            "chat": chat or account.chat(),
            "text": text,
        }
        return self.state.push({"message": message})

    def press(
        self,
        account: Account,
        message: Message,
        label: str = "",
        *,
        key: str = "",
        chat: dict[str, Any] | None = None,
    ) -> dict[str, Any]:
        """Tap a button of a message, by its label or by what it sends."""
        query = str(self.state.number())
        with self.state.lock:
            self.state.open_queries.add(query)
        wire = message.wire()
        if chat:
            wire["chat"] = chat
        return self.state.push(
            {
                "callback_query": {
                    "id": query,
                    "from": account.wire(),
                    "message": wire,
                    "chat_instance": "1",
                    "data": key or message.key(label),
                }
            }
        )

    def forget_query(self, update: dict[str, Any]) -> None:
        """Let a tap grow too old to be answered."""
        self.state.open_queries.discard(update["callback_query"]["id"])

    def answer_to(self, update: dict[str, Any]) -> str | None:
        """Return what the person who tapped was told, if they were told anything."""
        return self.state.answers.get(update["callback_query"]["id"])

    def post(
        self, update: dict[str, Any], *, to: str = "", secret: str | None = None
    ) -> int:
        """Post an update to the webhook and return its HTTP status."""
        headers = {"content-type": "application/json"}
        known = self.state.webhook.get("secret_token", "")
        if secret is not None or known:
            headers[SECRET_HEADER] = known if secret is None else secret
        request = urllib.request.Request(
            to or self.state.webhook["url"], json.dumps(update).encode(), headers
        )
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return int(answer.status)
        except urllib.error.HTTPError as error:
            return error.code

    def obey(self, order: dict[str, Any]) -> dict[str, Any]:
        """Do by ``POST /control`` what tests in other processes ask for.

        ``{"do": "say", "account": {…}, "text"}``, ``{"do": "press", "account",
        "message", "label"}``, ``{"do": "chat", "chat"}``. What is done is posted to
        the webhook, if there is one.
        """
        if order["do"] == "chat":
            return {"messages": [vars(m) for m in self.chat(order["chat"])]}
        account = Account(**order["account"])
        if order["do"] == "say":
            update = self.say(account, order["text"])
        else:
            message = self.state.messages[order["message"]]
            update = self.press(account, message, order["label"])
        posted = self.post(update) if self.state.webhook.get("url") else None
        is_tap = "callback_query" in update
        answer = self.answer_to(update) if is_tap else None
        return {"update": update, "posted": posted, "answer": answer}
