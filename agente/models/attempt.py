"""Attempts at an inference: each with its own draft and its own diagnosis."""

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from .turn import Turn


class TurnAttempt(models.Model):
    """One request to a language model.

    ``step`` counts the requests that a turn needs; ``number`` counts every try.
    Only an accepted attempt has a ``response``, complete and validated; a broken
    one keeps its draft for diagnosis and is never joined to the next.
    """

    class State(models.TextChoices):
        RUNNING = "running", _("en curso")
        ACCEPTED = "accepted", _("aceptado")
        BROKEN = "broken", _("incompleto")

    turn = models.ForeignKey(Turn, models.CASCADE, related_name="attempts")
    number = models.PositiveSmallIntegerField(_("intento"))
    step = models.PositiveSmallIntegerField(_("paso"))
    agent = models.CharField(_("agente"), max_length=48)
    model = models.CharField(_("modelo"), max_length=200)
    state = models.CharField(_("estado"), max_length=16, choices=State.choices)
    response = models.JSONField(_("respuesta"), null=True)
    draft = models.TextField(_("borrador"), blank=True)
    diagnosis = models.CharField(_("diagnóstico"), max_length=64, blank=True)
    detail = models.CharField(_("detalle"), max_length=300, blank=True)
    input_tokens = models.PositiveIntegerField(_("tokens de entrada"), default=0)
    output_tokens = models.PositiveIntegerField(_("tokens de salida"), default=0)
    started = models.DateTimeField(_("empezado"), db_default=Now())
    finished = models.DateTimeField(_("terminado"), null=True)

    class Meta:
        verbose_name = _("intento de respuesta")
        verbose_name_plural = _("intentos de respuesta")
        constraints = [
            models.UniqueConstraint(
                fields=["turn", "number"], name="turn_attempt_once"
            ),
            models.UniqueConstraint(
                fields=["turn", "step"],
                condition=Q(state="accepted"),
                name="turn_step_accepted_once",
            ),
            models.CheckConstraint(
                condition=Q(state="accepted", response__isnull=False)
                | ~Q(state="accepted") & Q(response__isnull=True),
                name="turn_attempt_accepted_whole",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.turn_id} · {self.number}"
