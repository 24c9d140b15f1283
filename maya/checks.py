"""System checks: a missing or wrong setting fails here, with an id and a hint."""

from collections.abc import Sequence
from typing import Any

from cryptography.fernet import Fernet
from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, register

MINIMUM_KEY_LENGTH = 32


def _usable(key: str) -> bool:
    try:
        Fernet(key)
    except ValueError:
        return False
    return True


@register(Tags.security)
def environment(app_configs: Sequence[Any] | None, **kwargs: Any) -> list[CheckMessage]:
    """Name each environment variable that is missing or unusable."""
    found: list[CheckMessage] = []
    for number, (name, wanted) in enumerate(
        {
            "DATABASE_URL": "postgres://user:password@host:5432/database",
            "REDIS_URL": "redis://host:6379/0",
        }.items(),
        start=1,
    ):
        if not getattr(settings, name):
            found.append(
                Error(
                    f"{name} is not set.",
                    hint=f"Set {name}={wanted}, or use `make demo`, which brings "
                    "its own services.",
                    id=f"maya.E00{number}",
                )
            )
    if not settings.DATABASES["default"]["ENGINE"].endswith("postgresql"):
        found.append(
            Error(
                "DATABASE_URL is not a PostgreSQL address.",
                hint="Maya needs PostgreSQL 15 or newer: postgres://…",
                id="maya.E003",
            )
        )
    if len(settings.MAYA_SECRET_KEY) < MINIMUM_KEY_LENGTH:
        found.append(
            Error(
                "MAYA_SECRET_KEY is missing or shorter than 32 characters.",
                hint="Make one: python -c 'import secrets; "
                "print(secrets.token_urlsafe(48))'",
                id="maya.E004",
            )
        )
    keys = settings.MAYA_ENCRYPTION_KEYS
    if not keys or not all(_usable(key) for key in keys):
        found.append(
            Error(
                "MAYA_ENCRYPTION_KEYS is missing or holds something that is no "
                "Fernet key.",
                hint="Make one: python -c 'from cryptography.fernet import Fernet; "
                "print(Fernet.generate_key().decode())'",
                id="maya.E005",
            )
        )
    if any(not _is_origin(origin) for origin in settings.MAYA_DEV_ENDPOINTS):
        found.append(
            Error(
                "MAYA_DEV_ENDPOINTS holds something that is no exact origin.",
                hint="Write scheme://host:port and nothing after it.",
                id="maya.E006",
            )
        )
    if settings.MAYA_HTTP_SECONDS >= settings.MAYA_LEASE_SECONDS:
        found.append(
            Error(
                "MAYA_HTTP_SECONDS is not shorter than MAYA_LEASE_SECONDS.",
                hint="A request must end before its run is taken for abandoned.",
                id="maya.E008",
            )
        )
    return found


def _is_origin(text: str) -> bool:
    scheme, separator, rest = text.partition("://")
    return bool(separator and rest and scheme in {"http", "https"} and "/" not in rest)


@register(Tags.security, deploy=True)
def deployment(app_configs: Sequence[Any] | None, **kwargs: Any) -> list[CheckMessage]:
    """Refuse development exemptions in production."""
    if not settings.MAYA_DEV_ENDPOINTS:
        return []
    return [
        Error(
            "MAYA_DEV_ENDPOINTS is set: those origins skip the SSRF rules.",
            hint="Unset it in production.",
            id="maya.E007",
        )
    ]
