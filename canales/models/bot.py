"""The bot that speaks to owners, and the updates that it has already seen."""

from django.db import models
from django.db.models.functions import Now


class TelegramBot(models.Model):
    """One bot, by the id that Telegram gave it (the digits before its token's colon).

    ``offset`` is where long polling goes on. ``disabled_at`` is set when Telegram
    refuses the token; a new token makes it null again.
    """

    id = models.BigIntegerField(primary_key=True)
    username = models.CharField(max_length=64, blank=True)
    token_hash = models.CharField(max_length=64)
    offset = models.BigIntegerField(default=0)
    disabled_at = models.DateTimeField(null=True)
    reason = models.CharField(max_length=200, blank=True)

    class Meta:
        verbose_name = "bot de Telegram"
        verbose_name_plural = "bots de Telegram"

    def __str__(self) -> str:
        return f"@{self.username}" if self.username else str(self.id)


class TelegramUpdate(models.Model):
    """An update that arrived, so that one that comes twice is handled once.

    Telegram delivers again whatever it got no 2xx for; ``claimed_until`` keeps two
    deliveries of one update apart, ``tries`` ends one that can never be handled.
    """

    bot = models.ForeignKey(TelegramBot, models.CASCADE)
    update_id = models.BigIntegerField()
    from_id = models.BigIntegerField(null=True)
    verdict = models.CharField(max_length=32, blank=True)
    tries = models.PositiveSmallIntegerField(default=0)
    received = models.DateTimeField(db_default=Now())
    claimed_until = models.DateTimeField(null=True)
    handled_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name = "actualización de Telegram"
        verbose_name_plural = "actualizaciones de Telegram"
        constraints = [
            models.UniqueConstraint(
                fields=["bot", "update_id"], name="telegram_update_once"
            )
        ]
        indexes = [
            models.Index(fields=["received"], name="telegram_update_age"),
            models.Index(fields=["from_id", "verdict"], name="telegram_update_from"),
        ]

    def __str__(self) -> str:
        return f"{self.bot_id}:{self.update_id}"
