"""System checks: what Telegram needs in the environment."""

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, register

from .telegram import config


@register(Tags.security)
def telegram(app_configs: Sequence[Any] | None, **kwargs: Any) -> list[CheckMessage]:
    """Name what is set and cannot be used; without a bot there is nothing to check."""
    found: list[CheckMessage] = []
    if settings.MAYA_TELEGRAM_TOKEN and not config.token():
        found.append(
            Error(
                "MAYA_TELEGRAM_TOKEN is no bot's token.",
                hint="Copy it from @BotFather: digits, a colon, letters and digits.",
                id="canales.E001",
            )
        )
    if settings.MAYA_TELEGRAM_SECRET and not config.webhook_secret():
        found.append(
            Error(
                "MAYA_TELEGRAM_SECRET cannot protect a webhook; there is none now.",
                hint="Use 32 to 256 of A-Z a-z 0-9 _ -: python -c 'import secrets; "
                "print(secrets.token_urlsafe(48))'",
                id="canales.E002",
            )
        )
    if not _is_api(settings.MAYA_TELEGRAM_API):
        found.append(
            Error(
                "MAYA_TELEGRAM_API is no HTTPS address: the token would leave in "
                "the open.",
                hint="Leave it out, or add it to MAYA_DEV_ENDPOINTS for tests.",
                id="canales.E003",
            )
        )
    return found


def _is_api(address: str) -> bool:
    if address in settings.MAYA_DEV_ENDPOINTS:
        return True
    return urlsplit(address).scheme == "https" and not address.endswith("/")
