"""Decisions: one member's yes or no."""

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from .run import Run
from .site import Member


class Decision(models.Model):
    """Who decided what, on which surface, with which digest in front of them."""

    class Verdict(models.TextChoices):
        APPROVE = "approve", _("aprobada")
        REJECT = "reject", _("rechazada")

    run = models.ForeignKey(Run, models.CASCADE, related_name="decisions")
    # The name outlives the membership: a removed member's decision stays readable
    member = models.ForeignKey(Member, models.SET_NULL, null=True)
    member_name = models.CharField(_("quién"), max_length=200)
    verdict = models.CharField(_("decisión"), max_length=8, choices=Verdict.choices)
    surface = models.CharField(_("dónde"), max_length=32)
    reason = models.TextField(_("motivo"), blank=True)
    digest = models.CharField(_("resumen"), max_length=64)
    created = models.DateTimeField(_("cuándo"), db_default=Now())

    class Meta:
        verbose_name = _("decisión")
        verbose_name_plural = _("decisiones")
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
