"""What surfaces offer and what was clicked on them."""

from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from .conversation import Conversation
from .run import Run
from .site import Site
from .visitor import Visitor


class Offer(models.Model):
    """A button that a surface showed, tied to the proposal behind it."""

    conversation = models.ForeignKey(Conversation, models.CASCADE)
    visitor = models.ForeignKey(Visitor, models.CASCADE)
    surface_id = models.CharField(max_length=100)
    component_id = models.CharField(max_length=100)
    context_hash = models.CharField(max_length=64)
    run = models.ForeignKey(Run, models.CASCADE, related_name="offers")
    created = models.DateTimeField(db_default=Now())

    class Meta:
        verbose_name = _("oferta")
        verbose_name_plural = _("ofertas")
        indexes = [
            models.Index(
                fields=["conversation", "surface_id", "component_id", "context_hash"],
                name="offer_clicked",
            )
        ]

    def __str__(self) -> str:
        return f"{self.surface_id}/{self.component_id}"


class AppliedAction(models.Model):
    """A click on a surface, by its key: repeated, it gets the stored lines again."""

    site = models.ForeignKey(Site, models.CASCADE)
    visitor = models.ForeignKey(Visitor, models.CASCADE)
    key = models.CharField(max_length=128)
    payload_hash = models.CharField(max_length=64)
    turn_id = models.UUIDField(null=True)
    lines = models.JSONField(null=True)
    created = models.DateTimeField(db_default=Now())

    class Meta:
        db_table = "acciones_aplicadas"
        verbose_name = _("acción aplicada")
        verbose_name_plural = _("acciones aplicadas")
        constraints = [
            models.UniqueConstraint(
                fields=["site", "visitor", "key"], name="applied_key_once"
            )
        ]

    def __str__(self) -> str:
        return self.key
