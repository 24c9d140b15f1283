"""Answer: the member's yes or no to the chat that claimed their invitation."""

from typing import Any

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models.functions import Now

from acciones import audit
from acciones.errors import MayaError, NotFound
from acciones.models import Member
from canales.models import Alert, Delivery, TelegramBot, TelegramInvite, TelegramLink

from .unlink import end


class AlreadyLinked(MayaError):
    """Esa cuenta de Telegram ya decide por otro miembro de este sitio."""

    code, status = "telegram_taken", 409


def accept(
    invite_id: int, *, member: Member, user_id: int, bot: TelegramBot
) -> TelegramLink:
    """Link the chat whose ``user_id`` the member was shown; replaces an earlier one.

    Raises ``NotFound`` when this is not the member's open invitation, or another
    chat's than was shown, and ``AlreadyLinked``.
    """
    try:
        with transaction.atomic():
            invite = _close(invite_id, member, user_id, accepted=True)
            for old in TelegramLink.objects.filter(member=member, ended_at=None):
                end(old, TelegramLink.Ended.REPLACED)
            link = _link(invite, bot)
            _audit("telegram.link", member, _account(invite))
    except IntegrityError as error:
        if "telegram_one_member_a_person" not in str(error):
            raise
        raise AlreadyLinked from error
    return link


def refuse(invite_id: int, *, member: Member, user_id: int) -> None:
    """Say no to the chat that claimed; nothing is linked. Raises ``NotFound``."""
    with transaction.atomic():
        invite = _close(invite_id, member, user_id, accepted=False)
        _audit("telegram.refuse", member, _account(invite))


def _close(
    invite_id: int, member: Member, user_id: int, *, accepted: bool
) -> TelegramInvite:
    answered = TelegramInvite.objects.filter(
        pk=invite_id,
        member=member,
        user_id=user_id,
        claimed_at__isnull=False,
        answered_at=None,
        expires_at__gt=Now(),
    ).update(answered_at=Now(), accepted=accepted)
    if not answered:
        raise NotFound("Esa invitación caducó o ya se contestó. Crea otra.")
    return TelegramInvite.objects.get(pk=invite_id)


def _link(invite: TelegramInvite, bot: TelegramBot) -> TelegramLink:
    if invite.user_id is None or invite.chat_id is None:
        raise NotFound
    link = TelegramLink.objects.create(
        bot=bot,
        site_id=invite.member.site_id,
        member=invite.member,
        user_id=invite.user_id,
        chat_id=invite.chat_id,
        name=invite.name,
        username=invite.username,
        language=invite.language,
        time_zone=settings.TIME_ZONE,
    )
    welcome = Alert.objects.create(
        member=invite.member, link=link, kind=Alert.Kind.WELCOME
    )
    Delivery.objects.create(
        alert=welcome, lane=welcome.lane, purpose=Delivery.Purpose.SEND, due_at=Now()
    )
    return link


def _account(invite: TelegramInvite) -> dict[str, Any]:
    return {
        "telegram_id": invite.user_id,
        "name": invite.name,
        "username": invite.username,
    }


def _audit(verb: str, member: Member, after: dict[str, Any]) -> None:
    audit.record(
        audit.Kind.ACCESS,
        verb,
        surface="admin",
        site=member.site,
        user=member.user,
        subject="member",
        subject_id=member.pk,
        after=after,
    )
