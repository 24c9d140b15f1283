"""The secrets of an invitation: a token for a link, a code for fingers."""

import hashlib
import hmac
import re
import secrets

from django.conf import settings

TOKEN_BYTES = 32
# No letters or digits that are taken for one another when typed from a screen
ALPHABET = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
CODE_LENGTH = 8
CODE = re.compile(rf"[{ALPHABET}]{{4}}[- ]?[{ALPHABET}]{{4}}", re.IGNORECASE)
# A start parameter is at most 64 of these; anything longer fails silently
TOKEN = re.compile(r"[A-Za-z0-9_-]{1,64}")


def new_token() -> str:
    """Return a token for ``t.me/<bot>?start=…``."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def new_code() -> str:
    """Return a code to type: ``ABCD-2345``, 40 bits that live for ten minutes."""
    text = "".join(secrets.choice(ALPHABET) for _ in range(CODE_LENGTH))
    return f"{text[:4]}-{text[4:]}"


def hashed(secret: str) -> str:
    """Return how a token or code is stored: keyed, since a code alone is short."""
    key = hashlib.sha256(b"maya.telegram:" + settings.SECRET_KEY.encode()).digest()
    return hmac.new(key, secret.encode(), hashlib.sha256).hexdigest()


def plain_code(text: str) -> str:
    """Return a code as it was made, however it was typed; nothing if it is none."""
    text = text.strip()
    if not CODE.fullmatch(text):
        return ""
    letters = text.replace("-", "").replace(" ", "").upper()
    return f"{letters[:4]}-{letters[4:]}"
