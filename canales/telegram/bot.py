"""The row of the bot that the environment names: known, usable, or refused."""

from django.db import transaction
from django.db.models.functions import Now
from telegram.error import TelegramError

from canales.models import TelegramBot

from . import client, config


def current() -> TelegramBot | None:
    """Return the bot's row, written on first sight; None without a token.

    A token that changed is tried anew: whatever disabled the bot was said of another.
    """
    if not config.token():
        return None
    row, _ = TelegramBot.objects.get_or_create(
        pk=config.bot_id(), defaults={"token_hash": config.token_hash()}
    )
    if row.token_hash != config.token_hash():
        enable(row)
    return row


def usable() -> TelegramBot | None:
    """Return the bot if it can send."""
    row = current()
    return row if row is not None and row.disabled_at is None else None


def enable(row: TelegramBot) -> None:
    """Use the bot with the token that the environment has now."""
    TelegramBot.objects.filter(pk=row.pk).update(
        token_hash=config.token_hash(), disabled_at=None, reason=""
    )
    row.refresh_from_db()


def disable(reason: str) -> None:
    """Stop using a bot whose token Telegram refused; owners hear of it by mail."""
    TelegramBot.objects.filter(
        pk=config.bot_id(), token_hash=config.token_hash(), disabled_at=None
    ).update(disabled_at=Now(), reason=reason[:200])


def check() -> TelegramBot:
    """Ask Telegram who the bot is, and use it if it answers; raises TelegramError."""
    row = current()
    if row is None:
        raise NoBot
    try:
        me = client.call("get_me")
    except TelegramError as error:
        verdict = client.verdict_of(error)
        if verdict.name == "disabled":
            disable(verdict.detail)
        raise
    with transaction.atomic():
        enable(row)
        TelegramBot.objects.filter(pk=row.pk).update(username=me.username or "")
    row.refresh_from_db()
    return row


class NoBot(Exception):
    """MAYA_TELEGRAM_TOKEN is not set, or is no bot's token."""
