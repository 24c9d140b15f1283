"""Invite: a member's wish to link a chat, good for ten minutes and one claim."""

from dataclasses import dataclass
from datetime import timedelta

from django.db import transaction
from django.db.models.functions import Now

from acciones.errors import Forbidden
from acciones.models import Member
from canales.models import TelegramBot, TelegramInvite

from . import keys

LIVES = timedelta(minutes=10)


@dataclass(frozen=True)
class Invitation:
    """What the member is shown, once: neither token nor code can be read again."""

    link: str
    code: str
    bot: str


def invite(member: Member, bot: TelegramBot) -> Invitation:
    """Make an invitation; the member's earlier ones stop working.

    ``bot`` must have its username: the link leads to it. Raises ``Forbidden`` for
    who could not decide anyway.
    """
    if not member.may_decide:
        raise Forbidden
    token, code = keys.new_token(), keys.new_code()
    with transaction.atomic():
        TelegramInvite.objects.filter(member=member, answered_at=None).delete()
        TelegramInvite.objects.create(
            member=member,
            token_hash=keys.hashed(token),
            code_hash=keys.hashed(code),
            expires_at=Now() + LIVES,
        )
    return Invitation(
        link=f"https://t.me/{bot.username}?start={token}",
        code=code,
        bot=f"@{bot.username}",
    )


def waiting(member: Member) -> TelegramInvite | None:
    """Return the invitation that somebody claimed and this member has yet to judge."""
    return TelegramInvite.objects.filter(
        member=member,
        claimed_at__isnull=False,
        answered_at=None,
        expires_at__gt=Now(),
    ).first()
