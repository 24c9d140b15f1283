"""Decisions: one member's yes or no."""

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from .run import Run
from .site import Member


class Decision(models.Model):
    """Who decided what, on which surface, with which digest in front of them."""

    class Verdict(models.TextChoices):
        APPROVE = "approve", "aprobada"
        REJECT = "reject", "rechazada"

    run = models.ForeignKey(Run, models.CASCADE, related_name="decisions")
    # The name outlives the membership: a removed member's decision stays readable
    member = models.ForeignKey(Member, models.SET_NULL, null=True)
    member_name = models.CharField("quién", max_length=200)
    verdict = models.CharField("decisión", max_length=8, choices=Verdict.choices)
    surface = models.CharField("dónde", max_length=32)
    reason = models.TextField("motivo", blank=True)
    digest = models.CharField("resumen", max_length=64)
    created = models.DateTimeField("cuándo", db_default=Now())

    class Meta:
        verbose_name = "decisión"
        verbose_name_plural = "decisiones"
        constraints = [
            models.UniqueConstraint(fields=["run", "member"], name="decision_once"),
            models.UniqueConstraint(
                fields=["run"],
                condition=Q(verdict="reject"),
                name="decision_one_rejection",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.member_name}: {self.get_verdict_display()}"
