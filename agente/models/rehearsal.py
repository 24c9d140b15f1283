"""Rehearsals: talks with the agent that an owner holds as a test visitor."""

from django.conf import settings
from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from acciones.models import Conversation


class Rehearsal(models.Model):
    """An owner's test conversation, which nothing can leave but reads.

    ``canned`` is null where lookups really ask; else it holds the answers to give
    in their place, by the lookup's name: ``{"get_order": {"status", "data"}}``.
    """

    conversation = models.OneToOneField(
        Conversation, models.CASCADE, primary_key=True, related_name="rehearsed"
    )
    canned = models.JSONField(_("respuestas de ejemplo"), null=True, blank=True)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, verbose_name=_("cuenta")
    )
    created = models.DateTimeField(_("empezado"), db_default=Now(), editable=False)

    class Meta:
        verbose_name = _("ensayo")
        verbose_name_plural = _("ensayos")

    def __str__(self) -> str:
        return str(self.conversation_id)[:8]
