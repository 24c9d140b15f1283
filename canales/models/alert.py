"""Alerts: what one member is told of one thing, in one message."""

import secrets

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from acciones.models import Connection, Member, Run, Site

from .link import TelegramLink

KEY_BYTES = 18


class Outage(models.Model):
    """A connection (or the bot itself) that is switched off, from when to when."""

    site = models.ForeignKey(Site, models.CASCADE)
    # Null: the bot
    connection = models.ForeignKey(Connection, models.CASCADE, null=True)
    since = models.DateTimeField(db_default=Now())
    ended_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name = "corte"
        verbose_name_plural = "cortes"
        constraints = [
            models.UniqueConstraint(
                fields=["site", "connection"],
                condition=Q(ended_at__isnull=True),
                nulls_distinct=False,
                name="outage_one_open",
            )
        ]

    def __str__(self) -> str:
        return f"{self.connection or 'Telegram'} · {self.since}"


class Alert(models.Model):
    """One message to one member: in a linked chat, or by mail when ``link`` is null.

    ``seq`` is how far of the run's log the message tells, so a run whose ``seq`` is
    higher has an event that was not fanned out yet. ``shown`` is the hash of what the
    message shows. The keys are what its two buttons send back: random, opaque, looked
    up here, made when a message that shows everything is about to be sent.
    ``message_id`` stays null while nobody knows whether it was sent.
    """

    class Kind(models.TextChoices):
        APPROVAL = "approval", "aprobación"
        UNCERTAIN = "uncertain", "fallo sin certeza"
        OUTAGE = "outage", "conexión desactivada"
        WELCOME = "welcome", "bienvenida"

    member = models.ForeignKey(Member, models.SET_NULL, null=True)
    link = models.ForeignKey(
        TelegramLink, models.CASCADE, null=True, related_name="alerts"
    )
    run = models.ForeignKey(Run, models.CASCADE, null=True, related_name="alerts")
    outage = models.ForeignKey(Outage, models.CASCADE, null=True)
    kind = models.CharField(max_length=16, choices=Kind.choices)
    number = models.PositiveSmallIntegerField(default=0)
    digest = models.CharField(max_length=64, blank=True)
    approve_key = models.CharField(max_length=32, null=True, unique=True)  # noqa: DJ001
    reject_key = models.CharField(max_length=32, null=True, unique=True)  # noqa: DJ001
    message_id = models.BigIntegerField(null=True)
    seq = models.IntegerField(default=0)
    shown = models.CharField(max_length=64, blank=True)
    created = models.DateTimeField(db_default=Now())
    closed_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name = "alerta"
        verbose_name_plural = "alertas"
        constraints = [
            models.UniqueConstraint(
                fields=["link", "run", "kind", "number"],
                condition=Q(run__isnull=False),
                name="alert_once",
            ),
            models.UniqueConstraint(
                fields=["member", "outage"],
                condition=Q(outage__isnull=False),
                name="alert_outage_once",
            ),
        ]
        indexes = [
            models.Index(
                fields=["link", "kind"],
                condition=Q(closed_at__isnull=True),
                name="alert_open",
            ),
            models.Index(
                fields=["member", "-created"],
                condition=Q(link__isnull=True),
                name="alert_mailed",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} · {self.run_id or self.outage_id or ''}"

    def arm(self) -> None:
        """Give the buttons their keys, before the message that carries them leaves."""
        if self.approve_key is None:
            self.approve_key = secrets.token_urlsafe(KEY_BYTES)
            self.reject_key = secrets.token_urlsafe(KEY_BYTES)
            self.save(update_fields=["approve_key", "reject_key"])

    @property
    def chat(self) -> TelegramLink:
        """Return the chat of an alert that goes by Telegram."""
        if self.link is None:
            raise LookupError("this alert goes by mail")
        return self.link

    @property
    def subject(self) -> Run:
        """Return the run of an alert about one."""
        if self.run is None:
            raise LookupError("this alert is about no run")
        return self.run

    @property
    def cut(self) -> Outage:
        """Return the outage of an alert about one."""
        if self.outage is None:
            raise LookupError("this alert is about no outage")
        return self.outage

    @property
    def lane(self) -> str:
        """Name the way this alert goes: one thing at a time travels on each."""
        return f"telegram:{self.link_id}" if self.link_id else f"mail:{self.member_id}"
