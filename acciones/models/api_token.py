"""Tokens of the owner API: one member's, for what its scopes name, known by hash."""

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from .site import Member


class ApiToken(models.Model):
    """A key with which a program acts as one member, as far as its scopes go.

    It can never do more than the member: role and membership are read at each use.
    """

    class Scope(models.TextChoices):
        RUNS_READ = "runs:read", "ver ejecuciones"
        RUNS_DECIDE = "runs:decide", "aprobar y rechazar"
        ACTIONS_READ = "actions:read", "ver acciones"

    member = models.ForeignKey(Member, models.CASCADE, verbose_name="miembro")
    name = models.CharField("nombre", max_length=100)
    token_hash = models.CharField(max_length=64, unique=True, editable=False)
    hint = models.CharField("empieza por", max_length=16, editable=False)
    scopes = models.JSONField("permisos")
    created = models.DateTimeField("creada", db_default=Now(), editable=False)
    expires_at = models.DateTimeField("caduca", null=True)
    last_used = models.DateTimeField("último uso", null=True, editable=False)
    revoked_at = models.DateTimeField("revocada", null=True, editable=False)

    class Meta:
        verbose_name = "llave de la API"
        verbose_name_plural = "llaves de la API"
        constraints = [
            models.CheckConstraint(condition=~Q(scopes=[]), name="api_token_has_scopes")
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.hint}…)"

    @property
    def is_revoked(self) -> bool:
        """Say whether somebody ended it."""
        return self.revoked_at is not None
