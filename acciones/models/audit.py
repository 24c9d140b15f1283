"""The audit: who did or saw what, from where, and what it was before and after."""

from django.conf import settings
from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from .site import Site


class AuditEntry(models.Model):
    """One fact for whoever asks later; the database refuses to change or drop it.

    Site and person are kept as ids that outlive their rows, beside the names they
    had. ``before`` and ``after`` are JSON objects, without secrets.
    """

    class Kind(models.TextChoices):
        DECISION = "decision", _("decisión")
        SETTING = "setting", _("ajuste")
        SECRET = "secret", _("secreto")
        VIEW = "view", _("datos personales vistos")
        ACCESS = "access", _("acceso")

    created = models.DateTimeField(_("cuándo"), db_default=Now(), editable=False)
    site = models.ForeignKey(
        Site,
        models.DO_NOTHING,
        null=True,
        db_constraint=False,
        related_name="+",
        verbose_name=_("sitio"),
    )
    site_name = models.CharField(_("sitio entonces"), max_length=64, blank=True)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.DO_NOTHING,
        null=True,
        db_constraint=False,
        related_name="+",
        verbose_name=_("cuenta"),
    )
    who = models.CharField(_("quién"), max_length=200)
    surface = models.CharField(_("dónde"), max_length=32)
    address = models.CharField(_("dirección"), max_length=64, blank=True)
    kind = models.CharField(_("clase"), max_length=16, choices=Kind.choices)
    verb = models.CharField(_("qué"), max_length=64)
    subject = models.CharField(_("sobre"), max_length=48, blank=True)
    subject_id = models.CharField(_("sobre cuál"), max_length=64, blank=True)
    before = models.JSONField(_("antes"), null=True)
    after = models.JSONField(_("después"), null=True)
    note = models.CharField(_("nota"), max_length=300, blank=True)

    class Meta:
        verbose_name = _("registro de auditoría")
        verbose_name_plural = _("auditoría")
        indexes = [
            models.Index(fields=["site", "-id"], name="audit_of_site"),
            models.Index(fields=["subject", "subject_id"], name="audit_of_subject"),
        ]

    def __str__(self) -> str:
        return f"{self.who}: {self.verb} {self.subject} {self.subject_id}".strip()
