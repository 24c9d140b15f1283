"""Connections to the owner's systems: a signed endpoint or an MCP server."""

import json

from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from maya.lib import vault

from .site import Site


class Connection(models.Model):
    """Where a site's actions go, and what is needed to get in."""

    class Kind(models.TextChoices):
        WEBHOOK = "webhook", _("endpoint firmado")
        MCP = "mcp", _("servidor MCP")

    site = models.ForeignKey(Site, models.CASCADE, verbose_name=_("sitio"))
    name = models.CharField(_("nombre"), max_length=100)
    kind = models.CharField(_("tipo"), max_length=16, choices=Kind.choices)
    url = models.URLField(
        _("dirección"),
        max_length=500,
        help_text=_(
            "HTTPS pública: el origen del endpoint, o la dirección MCP completa."
        ),
    )
    sealed_headers = models.BinaryField(
        _("cabeceras cifradas"), null=True, blank=True, editable=False
    )
    enabled = models.BooleanField(_("activa"), default=True)
    created = models.DateTimeField(_("creada"), db_default=Now(), editable=False)

    class Meta:
        verbose_name = _("conexión")
        verbose_name_plural = _("conexiones")
        constraints = [
            models.UniqueConstraint(fields=["site", "name"], name="connection_once")
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def headers(self) -> dict[str, str]:
        """Return the secret headers (an MCP server's token, say)."""
        if not self.sealed_headers:
            return {}
        opened: dict[str, str] = json.loads(
            vault.open_sealed(bytes(self.sealed_headers))
        )
        return opened

    @headers.setter
    def headers(self, headers: dict[str, str]) -> None:
        self.sealed_headers = vault.seal(json.dumps(headers)) if headers else None
