"""Tool calls: stored complete and validated before anything of them runs."""

import uuid

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from acciones.models import Evidence, Run

from .attempt import TurnAttempt
from .turn import Turn


class ToolCall(models.Model):
    """One call of an accepted response.

    Its id is the ``operation_id`` of the events, ``call_id`` the model's own name
    for it. ``repeatable`` calls (reads) may run again after a crash; any other has
    its effect and its result in one transaction.
    """

    class State(models.TextChoices):
        STORED = "stored", _("guardada")
        STARTED = "started", _("empezada")
        DONE = "done", _("hecha")
        FAILED = "failed", _("fallida")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    turn = models.ForeignKey(Turn, models.CASCADE, related_name="calls")
    attempt = models.ForeignKey(TurnAttempt, models.CASCADE, related_name="calls")
    place = models.PositiveSmallIntegerField(_("lugar"))
    call_id = models.CharField(max_length=200)
    name = models.CharField(_("herramienta"), max_length=64)
    arguments = models.JSONField(_("argumentos"))
    state = models.CharField(_("estado"), max_length=16, choices=State.choices)
    result = models.JSONField(_("resultado"), null=True)
    evidence = models.ForeignKey(Evidence, models.SET_NULL, null=True)
    run = models.ForeignKey(Run, models.SET_NULL, null=True)
    started = models.DateTimeField(_("empezada"), null=True)
    finished = models.DateTimeField(_("terminada"), null=True)

    class Meta:
        verbose_name = _("llamada")
        verbose_name_plural = _("llamadas")
        constraints = [
            models.UniqueConstraint(fields=["attempt", "place"], name="call_once"),
            models.CheckConstraint(
                condition=Q(state__in=["done", "failed"], result__isnull=False)
                | Q(state__in=["stored", "started"], result__isnull=True),
                name="call_end_has_result",
            ),
        ]

    def __str__(self) -> str:
        return self.name
