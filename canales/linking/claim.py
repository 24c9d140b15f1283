"""Claim: the word of a private chat that takes an invitation, exactly once."""

from datetime import timedelta

from django.db.models import Q, QuerySet
from django.db.models.functions import Now

from canales.models import TelegramInvite, TelegramUpdate
from canales.models.link import known_language
from canales.telegram.wire import Said

from . import keys
from .invite import LIVES

# Forty bits need no more than this, and a person mistypes a code a few times
WRONG_CODES = 5
WRONG = "wrong_code"
WRONG_PERIOD = timedelta(minutes=10)


def by_token(said: Said, token: str) -> bool:
    """Take the invitation of a start token; say whether there was one to take."""
    if not keys.TOKEN.fullmatch(token):
        return False
    return _claim(TelegramInvite.objects.filter(token_hash=keys.hashed(token)), said)


def by_code(said: Said, code: str) -> bool:
    """Take the invitation of a typed code; say whether there was one to take."""
    return _claim(TelegramInvite.objects.filter(code_hash=keys.hashed(code)), said)


def has_guessed(user_id: int) -> bool:
    """Say whether this account sent too many wrong codes lately."""
    wrong = TelegramUpdate.objects.filter(
        from_id=user_id, verdict=WRONG, received__gt=Now() - WRONG_PERIOD
    )
    return wrong.count() >= WRONG_CODES


def _claim(invites: "QuerySet[TelegramInvite]", said: Said) -> bool:
    """One conditional UPDATE: of two chats with the same token, one finds nothing.

    The member then has ten minutes anew to answer in the web.
    """
    taken = invites.filter(
        Q(member__user__is_active=True),
        claimed_at=None,
        answered_at=None,
        expires_at__gt=Now(),
    ).update(
        claimed_at=Now(),
        expires_at=Now() + LIVES,
        user_id=said.person.id,
        chat_id=said.chat_id,
        name=said.person.name,
        username=said.person.username,
        language=known_language(said.person.language),
    )
    return taken == 1
