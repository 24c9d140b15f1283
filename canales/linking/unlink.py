"""Unlink: a chat that gets no more alerts and decides nothing any more."""

from typing import Any

from django.db import transaction
from django.db.models import Q
from django.db.models.functions import Now

from acciones import audit
from canales.models import TelegramInvite, TelegramLink

Ended = TelegramLink.Ended


def unlink(
    link: TelegramLink, *, surface: str, user: Any = None, who: str = ""
) -> bool:
    """End a link on somebody's word; say whether it was still live.

    Its open messages lose their buttons: the outbox sees that the link ended.
    """
    with transaction.atomic():
        if not end(link, Ended.UNLINKED):
            return False
        _audit(link, surface=surface, user=user, who=who)
    return True


def end(link: TelegramLink, why: TelegramLink.Ended) -> bool:
    """End a link; say whether it was still live."""
    ended = TelegramLink.objects.filter(pk=link.pk, ended_at=None).update(
        ended_at=Now(), ended_why=why
    )
    return ended == 1


def blocked(link: TelegramLink) -> None:
    """End the link of a chat that Telegram says we may no longer write to."""
    with transaction.atomic():
        if end(link, Ended.BLOCKED):
            _audit(link, surface="telegram", who=f"telegram:{link.user_id}")


def end_removed() -> None:
    """End the links of people who are members no more, or whose account is closed."""
    gone = TelegramLink.objects.filter(
        Q(member=None) | Q(member__user__is_active=False), ended_at=None
    )
    for link in gone.select_related("site"):
        with transaction.atomic():
            if end(link, Ended.REMOVED):
                _audit(link, surface="system")


def of_chat(user_id: int, chat_id: int) -> list[TelegramLink]:
    """Return the live links of one person's private chat, one for each site."""
    return list(
        TelegramLink.objects.select_related("site", "member__user").filter(
            user_id=user_id, chat_id=chat_id, ended_at=None
        )
    )


def forget_invitations() -> None:
    """Delete invitations that nobody can use any more."""
    TelegramInvite.objects.filter(expires_at__lt=Now()).delete()


def _audit(
    link: TelegramLink, *, surface: str, user: Any = None, who: str = ""
) -> None:
    link.refresh_from_db(fields=["ended_why"])
    audit.record(
        audit.Kind.ACCESS,
        "telegram.unlink",
        surface=surface,
        site=link.site,
        user=user,
        who=who,
        subject="member",
        subject_id=link.member_id or "",
        before={"telegram_id": link.user_id, "name": link.name},
        after={"ended": link.ended_why},
    )
