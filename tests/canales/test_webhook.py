"""The webhook: nothing without the secret, each update once, nonsense never."""

import json
from typing import Any

import httpx
import pytest

from acciones.models import Decision, Run
from canales.models import TelegramUpdate
from tests.acciones.cast import fresh
from tests.fakes.telegram import Account

from .conftest import OLGA, Wired


@pytest.fixture
def wired(live: Wired) -> Wired:
    """Real HTTP both ways."""
    return live


def nothing_happened(run: Run) -> None:
    assert fresh(run).state == "awaiting_owner"
    assert not Decision.objects.exists()


@pytest.mark.parametrize(
    "secret",
    ["", "wrong", "a-secret-for-the-webhook-012345678", "ñ" * 35, "a" * 10_000],
)
def test_a_forged_update_is_refused(wired: Wired, secret: str) -> None:
    run = wired.waiting()
    update = wired.telegram.press(OLGA, wired.message(), "Aprobar")
    answer = httpx.post(
        wired.telegram.state.webhook["url"],
        json=update,
        headers={b"X-Telegram-Bot-Api-Secret-Token": secret.encode()},
    )
    assert answer.status_code == 403
    nothing_happened(run)
    assert not TelegramUpdate.objects.exists()


def test_an_update_without_the_header_is_refused(wired: Wired) -> None:
    run = wired.waiting()
    update = wired.telegram.press(OLGA, wired.message(), "Aprobar")
    answer = httpx.post(wired.telegram.state.webhook["url"], json=update)
    assert answer.status_code == 403
    nothing_happened(run)


@pytest.mark.parametrize("secret", ["", "short", "has spaces in it, and commas" * 2])
def test_without_a_fit_secret_there_is_no_webhook(
    wired: Wired, settings: Any, secret: str
) -> None:
    run = wired.waiting()
    settings.MAYA_TELEGRAM_SECRET = secret
    update = wired.telegram.press(OLGA, wired.message(), "Aprobar")
    assert wired.telegram.post(update, secret=secret) == 404
    nothing_happened(run)


@pytest.mark.parametrize("method", ["GET", "HEAD", "PUT"])
def test_looking_at_the_webhook_does_nothing(wired: Wired, method: str) -> None:
    assert httpx.request(
        method,
        wired.telegram.state.webhook["url"],
        headers={
            "X-Telegram-Bot-Api-Secret-Token": wired.telegram.state.webhook[
                "secret_token"
            ]
        },
    ).status_code == (405)


def test_an_update_that_comes_twice_is_handled_once(wired: Wired) -> None:
    wired.waiting()
    update = wired.telegram.press(OLGA, wired.message(), "Aprobar")
    assert [wired.telegram.post(update) for _ in range(3)] == [200, 200, 200]
    assert len(wired.telegram.calls("answerCallbackQuery")) == 1
    assert Decision.objects.count() == 1


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"null",
        b"[]",
        b"{",
        b'{"update_id": 1, "update_id": 2}',
        b'{"update_id": "1"}',
        b'{"update_id": true}',
        json.dumps({"update_id": 7, "callback_query": None}).encode(),
        json.dumps({"update_id": 8, "callback_query": {"id": "1"}}).encode(),
        json.dumps({"update_id": 9, "message": {"text": "/start"}}).encode(),
        json.dumps(
            {
                "update_id": 10,
                "callback_query": {
                    "id": "1",
                    "from": OLGA.wire() | {"id": "1001"},
                    "message": {"message_id": 1, "chat": OLGA.chat()},
                    "data": "x",
                },
            }
        ).encode(),
        json.dumps({"update_id": 11, "edited_message": {"text": "sí"}}).encode(),
        json.dumps(
            {
                "update_id": 12,
                "message": {
                    "from": OLGA.wire() | {"is_bot": True},
                    "chat": OLGA.chat(),
                    "text": "/start",
                },
            }
        ).encode(),
    ],
)
def test_what_makes_no_sense_is_taken_once_and_ignored(
    wired: Wired, body: bytes
) -> None:
    hook = wired.telegram.state.webhook
    before = len(wired.telegram.state.calls)
    answer = httpx.post(
        hook["url"],
        content=body,
        headers={"X-Telegram-Bot-Api-Secret-Token": hook["secret_token"]},
    )
    assert answer.status_code == 200
    assert len(wired.telegram.state.calls) == before


def test_an_enormous_update_is_not_read(wired: Wired) -> None:
    hook = wired.telegram.state.webhook
    answer = httpx.post(
        hook["url"],
        content=b"x" * 400_000,
        headers={"X-Telegram-Bot-Api-Secret-Token": hook["secret_token"]},
    )
    assert answer.status_code == 413


@pytest.mark.parametrize("name", ["A\x00B", "A\ud800B"])
def test_what_no_telegram_sends_is_no_update(wired: Wired, name: str) -> None:
    odd = Account(1003, name, "odd", "de-CH-1996")
    assert wired.telegram.post(wired.telegram.say(odd, "hola")) == 200
    assert wired.telegram.chat(odd) == []
