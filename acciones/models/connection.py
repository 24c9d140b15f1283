"""Connections to the owner's systems: a signed endpoint or an MCP server."""

import json

from django.db import models
from django.db.models.functions import Now

from maya.lib import vault

from .site import Site


class Connection(models.Model):
    """Where a site's actions go, and what is needed to get in."""

    class Kind(models.TextChoices):
        WEBHOOK = "webhook", "endpoint firmado"
        MCP = "mcp", "servidor MCP"

    site = models.ForeignKey(Site, models.CASCADE, verbose_name="sitio")
    name = models.CharField("nombre", max_length=100)
    kind = models.CharField("tipo", max_length=16, choices=Kind.choices)
    url = models.URLField(
        "dirección",
        max_length=500,
        help_text="HTTPS pública: el origen del endpoint, o la dirección MCP completa.",
    )
    sealed_headers = models.BinaryField(
        "cabeceras cifradas", null=True, blank=True, editable=False
    )
    enabled = models.BooleanField("activa", default=True)
    created = models.DateTimeField("creada", db_default=Now(), editable=False)

    class Meta:
        verbose_name = "conexión"
        verbose_name_plural = "conexiones"
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
