"""Long polling: the same updates without a public address, in a process of its own."""

import io
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import DatabaseError

from acciones.models import Decision
from canales import poll as poll_module
from canales.models import TelegramBot, TelegramUpdate
from canales.poll import poll
from canales.receive import receive
from tests.acciones.cast import fresh

from .conftest import OLGA, Wired


@pytest.fixture
def wired(live: Wired) -> Wired:
    """Real HTTP both ways."""
    return live


ROOT = Path(__file__).parents[2]


@pytest.fixture
def polled(wired: Wired) -> Wired:
    """Return the wired cast on a machine that nobody can call."""
    call_command("telegram_webhook", "--delete", stdout=io.StringIO())
    return wired


def bot() -> TelegramBot:
    return TelegramBot.objects.get()


def run_command(name: str, *options: str, database: str, **env: str) -> str:
    done = subprocess.run(
        [sys.executable, "manage.py", name, *options],
        cwd=ROOT,
        env=os.environ
        | {"DJANGO_SETTINGS_MODULE": "tests.settings", "DATABASE_URL": database}
        | env,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_restart_between_message_and_tap_loses_nothing(
    polled: Wired, database: str, settings: Any
) -> None:
    """The message leaves this process; another one, just started, takes the tap."""
    run = polled.waiting()
    update = polled.telegram.press(OLGA, polled.message(), "Aprobar")
    said = run_command(
        "telegram_poll",
        "--once",
        database=database,
        MAYA_TELEGRAM_TOKEN=settings.MAYA_TELEGRAM_TOKEN,
        MAYA_TELEGRAM_API=settings.MAYA_TELEGRAM_API,
        MAYA_DEV_ENDPOINTS=settings.MAYA_TELEGRAM_API,
    )
    assert "Polling for @maya_prueba_bot" in said
    assert polled.telegram.answer_to(update) == "Aprobada."
    assert fresh(run).state == "queued"
    assert polled.message().buttons == []


def test_only_what_we_take_is_asked_for(polled: Wired) -> None:
    poll(bot(), seconds=0)
    (asked,) = polled.telegram.calls("getUpdates")
    assert asked["allowed_updates"] == ["message", "callback_query"]


def test_updates_are_confirmed_one_by_one(
    polled: Wired, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = polled.waiting()
    first = polled.telegram.say(OLGA, "hola")
    polled.telegram.press(OLGA, polled.message(), "Aprobar")
    told = []

    def fails_on_the_second(row: TelegramBot, update: object) -> bool:
        told.append(update)
        if len(told) == 2:
            raise DatabaseError("gone")
        return receive(row, update)

    with monkeypatch.context() as patched:
        patched.setattr(poll_module, "receive", fails_on_the_second)
        with pytest.raises(DatabaseError):
            poll(bot(), seconds=0)
    assert bot().offset == first["update_id"] + 1
    assert fresh(run).state == "awaiting_owner"
    assert poll(bot(), seconds=0) == 1
    assert fresh(run).state == "queued"


def test_one_that_cannot_be_handled_holds_up_nobody(
    polled: Wired, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = polled.waiting()
    polled.telegram.say(OLGA, "hola")
    polled.telegram.press(OLGA, polled.message(), "Aprobar")

    def broken(said: object) -> None:
        raise RuntimeError("a fault of ours")

    monkeypatch.setattr("canales.receive.hear", broken)
    assert poll(bot(), seconds=0) == 2
    assert fresh(run).state == "queued"
    failed = TelegramUpdate.objects.get(handled_at=None)
    assert failed.tries == 1


def test_an_update_fetched_again_is_handled_once(polled: Wired) -> None:
    polled.waiting()
    polled.telegram.press(OLGA, polled.message(), "Aprobar")
    poll(bot(), seconds=0)
    TelegramBot.objects.update(offset=0)
    poll(bot(), seconds=0)
    assert Decision.objects.count() == 1
    assert len(polled.telegram.calls("answerCallbackQuery")) == 1


def test_a_webhook_must_be_taken_over_on_purpose(wired: Wired) -> None:
    with pytest.raises(CommandError, match="webhook is active"):
        call_command("telegram_poll", "--once", stdout=io.StringIO())
    call_command("telegram_poll", "--once", "--take-over", stdout=io.StringIO())
    assert wired.telegram.state.webhook == {}


def test_a_refused_token_is_said_plainly(wired: Wired, settings: Any) -> None:
    settings.MAYA_TELEGRAM_TOKEN = "4821:wrong"
    for command in ("telegram_poll", "telegram_webhook"):
        with pytest.raises(CommandError, match="Telegram says: Unauthorized"):
            call_command(command, stdout=io.StringIO())
    settings.MAYA_TELEGRAM_TOKEN = ""
    for command in ("telegram_poll", "telegram_webhook"):
        with pytest.raises(CommandError, match="MAYA_TELEGRAM_TOKEN"):
            call_command(command, stdout=io.StringIO())


def test_the_webhook_is_set_with_its_secret_and_no_more(
    wired: Wired, settings: Any
) -> None:
    (asked,) = wired.telegram.calls("setWebhook")
    assert asked["secret_token"] == settings.MAYA_TELEGRAM_SECRET
    assert asked["allowed_updates"] == ["message", "callback_query"]
    assert asked["url"].endswith("/telegram/webhook")


@pytest.mark.parametrize("secret", ["", "short", "ñ" * 40, "x" * 300])
def test_no_webhook_is_set_without_a_fit_secret(
    wired: Wired, settings: Any, secret: str
) -> None:
    settings.MAYA_TELEGRAM_SECRET = secret
    with pytest.raises(CommandError, match="No webhook without a secret"):
        call_command("telegram_webhook", stdout=io.StringIO())
    assert len(wired.telegram.calls("setWebhook")) == 1
