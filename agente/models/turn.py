"""Turns: the agent's answer to one message or one UI action."""

import uuid

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from acciones.models import Conversation


class Turn(models.Model):
    """One answer on its way; the row is the queue.

    A worker holds a turn by ``holder`` and ``lease_until``. Every write of a worker
    names its holder, so that one that was taken for dead cannot write any more.
    ``input`` is ``{"text": …}`` for a message, ``{"name", "surface_id",
    "component_id", "context"}`` for an action.
    """

    class Kind(models.TextChoices):
        MESSAGE = "message", _("mensaje")
        ACTION = "action", _("acción en pantalla")
        OUTCOME = "outcome", _("resultado de un cambio")

    class State(models.TextChoices):
        QUEUED = "queued", _("en cola")
        THINKING = "thinking", _("pensando")
        USING_TOOL = "using_tool", _("usando una herramienta")
        ANSWERING = "answering", _("respondiendo")
        DONE = "done", _("listo")
        FAILED = "failed", _("fallido")
        STOPPED = "stopped", _("detenido")

    OPEN = (State.QUEUED, State.THINKING, State.USING_TOOL, State.ANSWERING)

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    conversation = models.ForeignKey(Conversation, models.CASCADE, related_name="turns")
    kind = models.CharField(_("clase"), max_length=8, choices=Kind.choices)
    input = models.JSONField(_("entrada"), default=dict)
    state = models.CharField(_("estado"), max_length=16, choices=State.choices)
    seq = models.IntegerField(default=0)
    # The conversation's position before the turn's first event: a reader starts
    # here, and turns of one conversation run one after the other in this order
    position = models.BigIntegerField(default=0)
    agent = models.CharField(_("agente"), max_length=48, blank=True)
    due_at = models.DateTimeField(_("toca"), db_default=Now())
    holder = models.UUIDField(null=True)
    lease_until = models.DateTimeField(_("en manos hasta"), null=True)
    claims = models.PositiveSmallIntegerField(_("veces tomado"), default=0)
    reason = models.CharField(_("motivo"), max_length=64, blank=True)
    created = models.DateTimeField(_("creado"), db_default=Now(), editable=False)
    finished_at = models.DateTimeField(_("terminado"), null=True)
    trace = models.CharField(max_length=64, blank=True)

    class Meta:
        verbose_name = _("turno")
        verbose_name_plural = _("turnos")
        constraints = [
            models.UniqueConstraint(
                fields=["conversation", "position"], name="turn_place_once"
            ),
            models.CheckConstraint(
                condition=Q(
                    state__in=["done", "failed", "stopped"],
                    finished_at__isnull=False,
                )
                | Q(
                    state__in=["queued", "thinking", "using_tool", "answering"],
                    finished_at__isnull=True,
                ),
                name="turn_final_has_end",
            ),
        ]
        indexes = [
            models.Index(
                fields=["due_at"],
                condition=Q(
                    state__in=["queued", "thinking", "using_tool", "answering"]
                ),
                name="turn_due",
            ),
            models.Index(
                fields=["conversation", "position"],
                condition=Q(
                    state__in=["queued", "thinking", "using_tool", "answering"]
                ),
                name="turn_open",
            ),
        ]

    def __str__(self) -> str:
        return str(self.id)

    @property
    def is_open(self) -> bool:
        """Say whether the agent may still do something in this turn."""
        return self.state in self.OPEN
