"""Evidence: the read results that a proposal rests on."""

import uuid
from typing import Any

from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from .conversation import Conversation


class Evidence(models.Model):
    """One fact with its source.

    ``kind`` names the reader that can read it again; ``query`` is what that reader
    needs. ``fingerprint`` is the SHA-256 of the canonical declared fields.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    conversation = models.ForeignKey(Conversation, models.CASCADE)
    turn_id = models.UUIDField(null=True)
    kind = models.CharField(_("clase"), max_length=32)
    source = models.CharField(_("fuente"), max_length=200)
    reference = models.CharField(_("referencia"), max_length=300)
    title = models.CharField(_("título"), max_length=300, blank=True)
    quote = models.TextField(_("cita"))
    observed = models.JSONField(_("valores observados"))
    fingerprint = models.CharField(_("huella"), max_length=64)
    query = models.JSONField(default=dict)
    created = models.DateTimeField(_("leída"), db_default=Now(), editable=False)

    class Meta:
        verbose_name = _("prueba")
        verbose_name_plural = _("pruebas")
        indexes = [models.Index(fields=["conversation", "-created"])]

    def __str__(self) -> str:
        return self.reference

    def shown(self) -> dict[str, Any]:
        """Return what a person may open: never the query or the raw values."""
        return {
            "kind": self.kind,
            "source": self.source,
            "reference": self.reference,
            "title": self.title,
            "quote": self.quote,
        }
