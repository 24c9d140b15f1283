"""Keeps secrets out of what the admin shows of requests and answers."""

from collections.abc import Iterable
from contextlib import suppress

from cryptography.fernet import InvalidToken

from acciones.models import AgentSecret, Connection
from maya.lib.shown import visible

HIDDEN = "•••"
SHORTEST_SECRET = 6
"""Replacing shorter values would garble the text and protect nothing."""

OPEN_HEADERS = {
    "accept",
    "accept-encoding",
    "content-length",
    "content-type",
    "host",
    "user-agent",
    "x-maf-idempotency-key",
    "x-maf-timestamp",
}
SIGNATURE = "x-maf-signature"
SIGNATURE_SHOWN = len("v1=") + 8


def headers(sent: dict[str, str]) -> str:
    """Return sent headers as lines; values that are not known to be open are hidden."""
    return "\n".join(f"{visible(name)}: {_value(name, sent[name])}" for name in sent)


def _value(name: str, value: str) -> str:
    if name.lower() in OPEN_HEADERS:
        return visible(str(value))
    if name.lower() == SIGNATURE:
        return f"{visible(str(value)[:SIGNATURE_SHOWN]).rstrip('…')}{HIDDEN}"
    return HIDDEN


def secrets_of(connection: Connection) -> list[str]:
    """Return every secret that an answer of this connection could echo."""
    found: list[str] = []
    for secret in AgentSecret.objects.filter(site_id=connection.site_id):
        try:
            found.append(secret.plain)
        except InvalidToken:  # sealed with a key that is gone: nobody can read it
            continue
    with suppress(InvalidToken):
        found += connection.headers.values()
    return [secret for secret in found if len(secret) >= SHORTEST_SECRET]


def text(shown: str, secrets: Iterable[str]) -> str:
    """Return a text without any of the secrets, hidden characters made visible."""
    for secret in secrets:
        shown = shown.replace(secret, HIDDEN)
    return "\n".join(visible(line) for line in shown.splitlines())
