"""Notices: what a site's owners have to be told about a run."""

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from .run import Run


class Notice(models.Model):
    """One thing to tell, stored with the change that calls for it."""

    class Kind(models.TextChoices):
        UNCERTAIN = "uncertain", _("un fallo sin certeza")

    run = models.ForeignKey(Run, models.CASCADE, related_name="notices")
    kind = models.CharField(_("motivo"), max_length=16, choices=Kind.choices)
    created = models.DateTimeField(_("creado"), db_default=Now())
    claimed_until = models.DateTimeField(null=True)
    told_at = models.DateTimeField(_("avisado"), null=True)

    class Meta:
        verbose_name = _("aviso")
        verbose_name_plural = _("avisos")
        constraints = [
            models.UniqueConstraint(fields=["run", "kind"], name="notice_once")
        ]
        indexes = [
            models.Index(
                fields=["created"], condition=Q(told_at=None), name="notice_untold"
            )
        ]

    def __str__(self) -> str:
        return f"{self.run_id} · {self.kind}"
