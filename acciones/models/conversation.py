"""Conversations, and the log of durable facts in each."""

import uuid
from typing import Any

from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from .site import Site
from .visitor import Visitor


class Conversation(models.Model):
    """A visitor's thread. ``position`` counts its events.

    A rehearsal never touches anything outside.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    site = models.ForeignKey(Site, models.CASCADE, verbose_name=_("sitio"))
    visitor = models.ForeignKey(Visitor, models.CASCADE, verbose_name=_("visitante"))
    rehearsal = models.BooleanField(_("ensayo"), default=False)
    position = models.BigIntegerField(db_default=0, editable=False)
    created = models.DateTimeField(_("creada"), db_default=Now(), editable=False)
    closed = models.DateTimeField(_("cerrada"), null=True, blank=True)

    class Meta:
        verbose_name = _("conversación")
        verbose_name_plural = _("conversaciones")
        indexes = [
            models.Index(fields=["visitor", "-created"], name="conversation_latest")
        ]

    def __str__(self) -> str:
        return str(self.id)


class Event(models.Model):
    """A durable fact of a turn or a run, with two dense cursors.

    ``seq`` counts within ``run_id`` (a turn's or a run's id), ``position`` within
    the conversation; both are given in the transaction of the change itself.
    """

    conversation = models.ForeignKey(Conversation, models.CASCADE)
    position = models.BigIntegerField()
    run_id = models.UUIDField()
    seq = models.IntegerField()
    type = models.CharField(max_length=32)
    payload = models.JSONField()
    created = models.DateTimeField(db_default=Now())

    class Meta:
        verbose_name = _("evento")
        verbose_name_plural = _("eventos")
        constraints = [
            models.UniqueConstraint(
                fields=["conversation", "position"], name="event_position_once"
            ),
            models.UniqueConstraint(fields=["run_id", "seq"], name="event_seq_once"),
        ]

    def __str__(self) -> str:
        return f"{self.run_id}:{self.seq} {self.type}"

    def envelope(self) -> dict[str, Any]:
        """Return the event as every transport sends it."""
        return {
            "id": f"{self.run_id}:{self.seq}",
            "run_id": str(self.run_id),
            "seq": self.seq,
            "position": self.position,
            "type": self.type,
            "payload": self.payload,
            "created": self.created.isoformat(),
        }
