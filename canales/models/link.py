"""Invitations and links: which private chat belongs to which member."""

from datetime import time

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from acciones.models import Member, Site

from .bot import TelegramBot


class TelegramInvite(models.Model):
    """A member's wish to link a chat: a token and a code, known by their hashes.

    It is claimed from a private chat and then answered in the web session of the
    member who made it; only then does a link exist.
    """

    member = models.ForeignKey(Member, models.CASCADE)
    token_hash = models.CharField(max_length=64, unique=True)
    code_hash = models.CharField(max_length=64, unique=True)
    created = models.DateTimeField(db_default=Now())
    expires_at = models.DateTimeField()
    claimed_at = models.DateTimeField(null=True)
    user_id = models.BigIntegerField(null=True)
    chat_id = models.BigIntegerField(null=True)
    name = models.CharField(max_length=200, blank=True)
    username = models.CharField(max_length=64, blank=True)
    language = models.CharField(max_length=8, blank=True)
    answered_at = models.DateTimeField(null=True)
    accepted = models.BooleanField(null=True)

    class Meta:
        verbose_name = "invitación de Telegram"
        verbose_name_plural = "invitaciones de Telegram"
        constraints = [
            models.CheckConstraint(
                condition=Q(claimed_at__isnull=True)
                | Q(user_id__isnull=False, chat_id__isnull=False),
                name="telegram_claim_says_who",
            ),
            models.CheckConstraint(
                condition=Q(accepted__isnull=True, answered_at__isnull=True)
                | Q(accepted__isnull=False, answered_at__isnull=False),
                name="telegram_answer_has_time",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.member} · {self.created}"


class TelegramLink(models.Model):
    """A private chat that gets a member's alerts and may decide for that member.

    ``user_id`` is Telegram's number for the person, the only thing that authorises;
    names can be changed and taken over. In quiet hours (by ``time_zone``) nothing is
    sent that can wait.
    """

    class Ended(models.TextChoices):
        UNLINKED = "unlinked", "desvinculado"
        REPLACED = "replaced", "sustituido por otro chat"
        BLOCKED = "blocked", "el chat bloqueó al bot"
        REMOVED = "removed", "ya no es miembro"

    bot = models.ForeignKey(TelegramBot, models.PROTECT)
    site = models.ForeignKey(Site, models.CASCADE, verbose_name="sitio")
    # Kept when the membership goes, so that the chat's buttons can still be taken away
    member = models.ForeignKey(Member, models.SET_NULL, null=True)
    user_id = models.BigIntegerField("id de Telegram")
    chat_id = models.BigIntegerField()
    name = models.CharField("nombre en Telegram", max_length=200, blank=True)
    username = models.CharField("usuario en Telegram", max_length=64, blank=True)
    language = models.CharField(max_length=8, default="es")
    quiet_from = models.TimeField("silencio desde", null=True, blank=True)
    quiet_until = models.TimeField("silencio hasta", null=True, blank=True)
    time_zone = models.CharField("zona horaria", max_length=64)
    created = models.DateTimeField("vinculado", db_default=Now())
    ended_at = models.DateTimeField("terminado", null=True)
    ended_why = models.CharField(max_length=16, choices=Ended.choices, blank=True)

    class Meta:
        verbose_name = "Telegram"
        verbose_name_plural = "Telegram"
        constraints = [
            models.UniqueConstraint(
                fields=["member"],
                condition=Q(ended_at__isnull=True),
                name="telegram_one_chat_a_member",
            ),
            # One person with two accounts of a site would be a quorum alone
            models.UniqueConstraint(
                fields=["site", "user_id"],
                condition=Q(ended_at__isnull=True),
                name="telegram_one_member_a_person",
            ),
            models.CheckConstraint(
                condition=Q(quiet_from__isnull=True, quiet_until__isnull=True)
                | Q(quiet_from__isnull=False, quiet_until__isnull=False),
                name="telegram_quiet_hours_whole",
            ),
        ]

    def __str__(self) -> str:
        return self.name or str(self.user_id)

    @property
    def is_live(self) -> bool:
        """Say whether this chat is still linked."""
        return self.ended_at is None

    @property
    def quiet(self) -> tuple[time, time] | None:
        """Return when the quiet hours begin and end, if there are any."""
        if self.quiet_from is None or self.quiet_until is None:
            return None
        return self.quiet_from, self.quiet_until


def known_language(code: str) -> str:
    """Return the language among ours that a Telegram language code asks for."""
    short = code.split("-")[0].lower()
    known = [name for name, _ in settings.LANGUAGES]
    return short if short in known else settings.LANGUAGE_CODE
