"""Calls the Bot API through ``telegram.Bot``, and says what an error proves."""

import os
from collections.abc import Coroutine
from dataclasses import dataclass
from datetime import timedelta
from functools import cache
from typing import Any, TypeVar

import httpx
from django.conf import settings
from telegram import Bot
from telegram.error import (
    BadRequest,
    ChatMigrated,
    Conflict,
    Forbidden,
    InvalidToken,
    NetworkError,
    RetryAfter,
    TelegramError,
)
from telegram.request import HTTPXRequest

from maya.lib import background

from . import config

CONNECT_SECONDS = 5.0
POLL_SECONDS = 25
# Long enough for connecting, writing and reading to each take their time
PATIENCE_SECONDS = 10.0

# A length of time as a timedelta, as the library's next version has it
os.environ.setdefault("PTB_TIMEDELTA", "1")

NEVER_LEFT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)
# Telegram's words for an edit that found nothing to change
UNCHANGED = "message is not modified"
# … and for a chat that is no longer there for us
NO_CHAT = ("chat not found", "user is deactivated", "bot was kicked")

Result = TypeVar("Result")


@dataclass(frozen=True)
class Verdict:
    """What an error proves: ``retry`` (nothing happened), ``unknown``, or for good.

    For good are ``failed``, ``blocked`` (this chat) and ``disabled`` (this bot).
    ``after`` is how many seconds Telegram asks to wait.
    """

    name: str
    detail: str = ""
    after: float = 0


def verdict_of(error: TelegramError) -> Verdict:
    """Judge an error of a call, by what Telegram's documentation says of each."""
    detail = f"{type(error).__name__}: {error.message}"[:300]
    cause = error.__cause__
    match error:
        case RetryAfter():
            return Verdict("retry", detail, after=_seconds(error))
        case InvalidToken():
            return Verdict("disabled", detail)
        case Forbidden() | ChatMigrated():
            return Verdict("blocked", detail)
        case BadRequest():
            gone = any(words in error.message.lower() for words in NO_CHAT)
            return Verdict("blocked" if gone else "failed", detail)
        case Conflict():
            return Verdict("retry", detail)
        case NetworkError() if isinstance(cause, NEVER_LEFT):
            return Verdict("retry", detail)
        case NetworkError() if isinstance(cause, httpx.HTTPError):
            return Verdict("unknown", detail)
        case NetworkError() if cause is None:
            # A 5xx: the documentation says to try again
            return Verdict("retry", detail)
        case _:
            return Verdict("unknown", detail)


def is_unchanged(error: TelegramError) -> bool:
    """Say whether an edit failed because the message says just that already."""
    return isinstance(error, BadRequest) and UNCHANGED in error.message.lower()


def _seconds(error: RetryAfter) -> float:
    after = error.retry_after
    return after.total_seconds() if isinstance(after, timedelta) else float(after)


def call(method: str, **parameters: Any) -> Any:
    """Call one method of the bot and return its result; raises ``TelegramError``."""
    return _wait(_call(method, parameters), settings.MAYA_TELEGRAM_SECONDS)


def updates(offset: int, allowed: list[str], *, seconds: int = POLL_SECONDS) -> Any:
    """Wait up to ``seconds`` for updates from ``offset`` on."""
    asked = {
        "offset": offset,
        "timeout": seconds,
        "allowed_updates": allowed,
        "read_timeout": seconds + settings.MAYA_TELEGRAM_SECONDS,
    }
    return _wait(_call("get_updates", asked), seconds + settings.MAYA_TELEGRAM_SECONDS)


def _wait(work: Coroutine[Any, Any, Result], seconds: float) -> Result:
    try:
        return background.run(work, timeout=seconds + PATIENCE_SECONDS)
    except TimeoutError as error:
        raise TelegramError("No answer in time") from error


async def _call(method: str, parameters: dict[str, Any]) -> Any:
    bot = _bot(
        os.getpid(),
        config.token(),
        settings.MAYA_TELEGRAM_API,
        settings.MAYA_TELEGRAM_SECONDS,
    )
    return await getattr(bot, method)(**parameters)


@cache
def _bot(pid: int, token: str, api: str, seconds: float) -> Bot:
    """Make this process's bot, on its background loop; connections stay open."""
    return Bot(
        token,
        base_url=f"{api}/bot",
        request=_request(seconds),
        get_updates_request=_request(seconds),
    )


def _request(seconds: float) -> HTTPXRequest:
    return HTTPXRequest(
        connection_pool_size=16,
        connect_timeout=CONNECT_SECONDS,
        read_timeout=seconds,
        write_timeout=seconds,
        pool_timeout=CONNECT_SECONDS,
        httpx_kwargs={"trust_env": False},
    )
