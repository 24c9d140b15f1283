"""The cast with Telegram in their pockets, a fake Bot API and a real web server."""

import io
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from pytest_django.live_server_helper import LiveServer

from acciones.models import Member, Run
from canales import tasks
from canales.models import Alert, TelegramLink
from canales.telegram import bot
from tests.acciones import cast as people
from tests.acciones.cast import Cast
from tests.fakes.telegram import Account, FakeTelegram, Message

TOKEN = "4821:test-bot"
SECRET = "a-secret-for-the-webhook-0123456789"

OLGA = Account(1001, "Olga", "olga")
TOMAS = Account(1002, "Tomás", "tomas")
STRANGER = Account(6660, "Olga", "olga")
"""Somebody who calls themselves like the owner."""


@dataclass
class Wired:
    """One site's cast, its owner and teammate with linked chats."""

    cast: Cast
    telegram: FakeTelegram
    olga: TelegramLink
    tomas: TelegramLink

    def sweep(self) -> None:
        """Do what the worker does every two seconds."""
        tasks.sweep()

    def waiting(self, **offer: Any) -> Run:
        """Have a customer confirm something, and the alerts go out."""
        run = self.cast.confirmed(**offer)
        self.sweep()
        return run

    def message(self, account: Account = OLGA) -> Message:
        """Return the newest message in somebody's chat."""
        return self.telegram.chat(account)[-1]

    def tap(self, label: str, account: Account = OLGA) -> str | None:
        """Tap a button of the newest message; returns what the person was told."""
        update = self.telegram.press(account, self.message(account), label)
        assert self.telegram.post(update) == 200
        return self.telegram.answer_to(update)


def link_chat(member: Member, account: Account, **more: Any) -> TelegramLink:
    """Link a chat without the ceremony."""
    row = bot.check()
    return TelegramLink.objects.create(
        bot=row,
        site=member.site,
        member=member,
        user_id=account.id,
        chat_id=account.id,
        name=account.first_name,
        username=account.username,
        **({"language": "es", "time_zone": "Europe/Madrid"} | more),
    )


def alert_of(run: Run, link: TelegramLink) -> Alert:
    """Return the newest alert of a run in a chat."""
    return Alert.objects.filter(run=run, link=link).latest("number")


@pytest.fixture
def telegram(settings: Any) -> Iterator[FakeTelegram]:
    """Return a Bot API of this test's own, with Maya pointed at it."""
    with FakeTelegram(TOKEN).running() as fake:
        settings.MAYA_TELEGRAM_TOKEN = TOKEN
        settings.MAYA_TELEGRAM_SECRET = SECRET
        settings.MAYA_TELEGRAM_API = fake.url
        settings.MAYA_TELEGRAM_SECONDS = 2.5
        yield fake


@pytest.fixture
def house(db: None) -> Cast:
    """Return the cast of one site; its endpoint is only ever shown."""
    return people.assemble("https://shop.example")


@pytest.fixture
def wired(
    house: Cast,
    telegram: FakeTelegram,
    settings: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> Wired:
    """Return the cast with linked chats; updates come in without a network."""
    settings.MAYA_BASE_URL = "http://testserver"
    monkeypatch.setattr(telegram, "post", post_here)
    return wire(house, telegram, monkeypatch)


@pytest.fixture
def live(
    transactional_db: None,
    telegram: FakeTelegram,
    live_server: LiveServer,
    settings: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> Wired:
    """Return the cast with linked chats in front of a real web server."""
    settings.MAYA_BASE_URL = live_server.url
    house = people.assemble("https://shop.example")
    return wire(house, telegram, monkeypatch)


def wire(house: Cast, telegram: FakeTelegram, monkeypatch: pytest.MonkeyPatch) -> Wired:
    """Set the webhook as an owner would, and link the chats."""
    # What the sweep hands to other workers is done here, at once
    monkeypatch.setattr(tasks.deliver, "delay", tasks.deliver)
    call_command("telegram_webhook", stdout=io.StringIO())
    return Wired(
        cast=house,
        telegram=telegram,
        olga=link_chat(house.owner, OLGA),
        tomas=link_chat(house.teammate, TOMAS),
    )


def post_here(update: dict[str, Any]) -> int:
    """Hand an update to the webhook's view and return its HTTP status."""
    answer = Client().post(
        reverse("telegram-webhook"),
        json.dumps(update),
        content_type="application/json",
        headers={"x-telegram-bot-api-secret-token": SECRET},
    )
    return answer.status_code


@pytest.fixture
def entered() -> Callable[[Member], Client]:
    """Return a function that signs somebody in."""

    def enter(who: Member) -> Client:
        client = Client()
        client.force_login(who.user)
        return client

    return enter


@pytest.fixture
def unlinked(wired: Wired) -> Wired:
    """Return the wired cast before anybody linked anything."""
    TelegramLink.objects.all().delete()
    return wired
