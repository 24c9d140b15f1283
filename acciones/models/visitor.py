"""Visitors of a site, and the customers whom the site vouches for."""

import uuid
from typing import Any

from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from .site import Site


class Customer(models.Model):
    """An identity that the site vouched for by a signed token.

    E-mail and name are for display; only ``external_id`` identifies.
    """

    site = models.ForeignKey(Site, models.CASCADE, verbose_name=_("sitio"))
    external_id = models.CharField(_("identificador"), max_length=200)
    email = models.CharField(_("correo"), max_length=320, blank=True)
    name = models.CharField(_("nombre"), max_length=200, blank=True)
    seen = models.DateTimeField(_("visto"), db_default=Now())

    class Meta:
        verbose_name = _("cliente")
        verbose_name_plural = _("clientes")
        constraints = [
            models.UniqueConstraint(
                fields=["site", "external_id"], name="customer_once"
            )
        ]

    def __str__(self) -> str:
        return self.name or self.external_id

    def wire(self) -> dict[str, Any]:
        """Return the seed's ``customer`` object: ``id`` and, if known, the rest."""
        known = {"id": self.external_id, "email": self.email, "name": self.name}
        return {key: value for key, value in known.items() if value}


class Visitor(models.Model):
    """A browser session or a channel contact of one site."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    site = models.ForeignKey(Site, models.CASCADE, verbose_name=_("sitio"))
    customer = models.ForeignKey(
        Customer, models.SET_NULL, null=True, blank=True, verbose_name=_("cliente")
    )
    token_hash = models.CharField(max_length=64, unique=True, editable=False)
    created = models.DateTimeField(_("creado"), db_default=Now(), editable=False)
    ended = models.DateTimeField(_("terminado"), null=True, blank=True)

    class Meta:
        verbose_name = _("visitante")
        verbose_name_plural = _("visitantes")

    def __str__(self) -> str:
        return str(self.customer or f"anónimo {str(self.id)[:8]}")
