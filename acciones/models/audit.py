"""The audit: who did or saw what, from where, and what it was before and after."""

from django.conf import settings
from django.db import models
from django.db.models.functions import Now

from .site import Site


class AuditEntry(models.Model):
    """One fact for whoever asks later; the database refuses to change or drop it.

    Site and person are kept as ids that outlive their rows, beside the names they
    had. ``before`` and ``after`` are JSON objects, without secrets.
    """

    class Kind(models.TextChoices):
        DECISION = "decision", "decisión"
        SETTING = "setting", "ajuste"
        SECRET = "secret", "secreto"
        VIEW = "view", "datos personales vistos"
        ACCESS = "access", "acceso"

    created = models.DateTimeField("cuándo", db_default=Now(), editable=False)
    site = models.ForeignKey(
        Site,
        models.DO_NOTHING,
        null=True,
        db_constraint=False,
        related_name="+",
        verbose_name="sitio",
    )
    site_name = models.CharField("sitio entonces", max_length=64, blank=True)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.DO_NOTHING,
        null=True,
        db_constraint=False,
        related_name="+",
        verbose_name="cuenta",
    )
    who = models.CharField("quién", max_length=200)
    surface = models.CharField("dónde", max_length=32)
    address = models.CharField("dirección", max_length=64, blank=True)
    kind = models.CharField("clase", max_length=16, choices=Kind.choices)
    verb = models.CharField("qué", max_length=64)
    subject = models.CharField("sobre", max_length=48, blank=True)
    subject_id = models.CharField("sobre cuál", max_length=64, blank=True)
    before = models.JSONField("antes", null=True)
    after = models.JSONField("después", null=True)
    note = models.CharField("nota", max_length=300, blank=True)

    class Meta:
        verbose_name = "registro de auditoría"
        verbose_name_plural = "auditoría"
        indexes = [
            models.Index(fields=["site", "-id"], name="audit_of_site"),
            models.Index(fields=["subject", "subject_id"], name="audit_of_subject"),
        ]

    def __str__(self) -> str:
        return f"{self.who}: {self.verb} {self.subject} {self.subject_id}".strip()
