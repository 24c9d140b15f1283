"""Attempts and callbacks: what left, what came back, and what we made of it."""

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from .run import Run


class Attempt(models.Model):
    """One dispatch of a run, stored before the first byte leaves.

    ``verdict`` stays empty while the attempt is on its way.
    """

    class Verdict(models.TextChoices):
        DONE = "done", _("hecho")
        PENDING = "pending", _("en proceso")
        FAILED = "failed", _("fallido")
        REFUSED = "refused", _("rechazado por tu sistema")
        UNCERTAIN = "uncertain", _("sin respuesta fiable")

    run = models.ForeignKey(Run, models.CASCADE, related_name="tries")
    number = models.PositiveSmallIntegerField(_("intento"))
    digest = models.CharField(max_length=64)
    started = models.DateTimeField(_("enviado"), db_default=Now())
    finished = models.DateTimeField(_("respondido"), null=True)
    sent_headers = models.JSONField(default=dict)
    status_code = models.PositiveSmallIntegerField(_("HTTP"), null=True)
    answer = models.TextField(_("respuesta"), blank=True)
    verdict = models.CharField(
        _("veredicto"), max_length=16, choices=Verdict.choices, blank=True
    )
    detail = models.CharField(_("detalle"), max_length=300, blank=True)

    class Meta:
        verbose_name = _("intento")
        verbose_name_plural = _("intentos")
        constraints = [
            models.UniqueConstraint(fields=["run", "number"], name="attempt_once"),
            models.CheckConstraint(
                condition=Q(verdict="") | Q(finished__isnull=False),
                name="attempt_verdict_has_end",
            ),
        ]
        indexes = [models.Index(fields=["started"], name="attempt_started")]

    def __str__(self) -> str:
        return f"{self.run_id} · {self.number}"


class Callback(models.Model):
    """A callback as it arrived, with our verdict; stored even when refused."""

    run_id = models.CharField(_("ejecución"), max_length=64, db_index=True)
    body = models.BinaryField()
    timestamp = models.CharField(max_length=64, blank=True)
    signature = models.CharField(max_length=200, blank=True)
    status = models.PositiveSmallIntegerField(_("respondimos"))
    code = models.CharField(_("veredicto"), max_length=32)
    created = models.DateTimeField(_("recibido"), db_default=Now())

    class Meta:
        verbose_name = _("callback")
        verbose_name_plural = _("callbacks")

    def __str__(self) -> str:
        return f"{self.run_id} · {self.code}"
