"""What the environment says about the bot; the only place that reads it."""

import hashlib
import re

from django.conf import settings

TOKEN = re.compile(r"([0-9]{1,20}):[A-Za-z0-9_-]{1,128}")
# Telegram allows 1 to 256 of these; a short one could be guessed
SECRET = re.compile(r"[A-Za-z0-9_-]{32,256}")


def token() -> str:
    """Return the bot's token, or nothing when there is no bot."""
    text = str(settings.MAYA_TELEGRAM_TOKEN)
    return text if TOKEN.fullmatch(text) else ""


def bot_id() -> int:
    """Return the bot's id: the digits before the colon of its token."""
    found = TOKEN.fullmatch(token())
    return int(found[1]) if found else 0


def token_hash() -> str:
    """Return how a row remembers which token it knew, without knowing it."""
    return hashlib.sha256(token().encode()).hexdigest()


def webhook_secret() -> bytes:
    """Return the webhook's secret, or nothing when there is none fit for use.

    Without one no update is believed: anybody can post to a public address.
    """
    text = str(settings.MAYA_TELEGRAM_SECRET)
    return text.encode() if SECRET.fullmatch(text) else b""
