"""Attempts at an inference: each with its own draft and its own diagnosis."""

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from .turn import Turn


class TurnAttempt(models.Model):
    """One request to a language model.

    ``step`` counts the requests that a turn needs; ``number`` counts every try.
    Only an accepted attempt has a ``response``, complete and validated; a broken
    one keeps its draft for diagnosis and is never joined to the next.
    """

    class State(models.TextChoices):
        RUNNING = "running", "en curso"
        ACCEPTED = "accepted", "aceptado"
        BROKEN = "broken", "incompleto"

    turn = models.ForeignKey(Turn, models.CASCADE, related_name="attempts")
    number = models.PositiveSmallIntegerField("intento")
    step = models.PositiveSmallIntegerField("paso")
    agent = models.CharField("agente", max_length=48)
    model = models.CharField("modelo", max_length=200)
    state = models.CharField("estado", max_length=16, choices=State.choices)
    response = models.JSONField("respuesta", null=True)
    draft = models.TextField("borrador", blank=True)
    diagnosis = models.CharField("diagnóstico", max_length=64, blank=True)
    detail = models.CharField("detalle", max_length=300, blank=True)
    input_tokens = models.PositiveIntegerField("tokens de entrada", default=0)
    output_tokens = models.PositiveIntegerField("tokens de salida", default=0)
    started = models.DateTimeField("empezado", db_default=Now())
    finished = models.DateTimeField("terminado", null=True)

    class Meta:
        verbose_name = "intento de respuesta"
        verbose_name_plural = "intentos de respuesta"
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
