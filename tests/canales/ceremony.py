"""Linking as it is done: presses on the page, words in the chat."""

import html
import re
from collections.abc import Callable
from typing import Any

from django.test import Client
from django.urls import reverse

from acciones.models import Member
from canales.models import TelegramInvite
from tests.fakes.telegram import Account

from .conftest import Wired

PAGE = "admin:canales_telegramlink_changelist"


As = Callable[[Member], Client]
# Somebody whose name is made to look like another one


def invitation(client: Client, member: Member) -> tuple[str, str]:
    """Press the page's button; returns the start token and the code."""
    answer = client.post(reverse("admin:telegram_invite", args=[member.pk]))
    text = html.unescape(answer.content.decode())
    assert "no-store" in answer["Cache-Control"]
    token = re.search(r"https://t\.me/maya_prueba_bot\?start=([A-Za-z0-9_-]+)", text)
    code = re.search(r'<code class="copy">(.+?)</code>', text)
    assert token is not None
    assert code is not None
    return token[1], code[1]


def say(wired: Wired, account: Account, text: str, **more: Any) -> str:
    """Write to the bot; returns its newest answer there."""
    update = wired.telegram.say(account, text, **more)
    assert wired.telegram.post(update) == 200
    chat = more.get("chat") or account.chat()
    messages = wired.telegram.chat(int(chat["id"]))
    return messages[-1].text if messages else ""


def answer(client: Client, account: Account, word: str = "yes") -> Any:
    """Answer on the page for the account that it shows."""
    invite = TelegramInvite.objects.latest("pk")
    return client.post(
        reverse("admin:telegram_answer", args=[invite.pk]),
        {"user_id": str(account.id), "answer": word},
        follow=True,
    )
