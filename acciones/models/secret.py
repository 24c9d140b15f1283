"""The agent's secret: signs identity, requests and callbacks."""

import secrets
from datetime import timedelta

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from maya.lib import vault

from .site import Site

SECRET_BYTES = 32


class LiveSecrets(models.QuerySet["AgentSecret"]):
    """Secrets by the database's clock, so that an end date needs no restart."""

    def live(self, site_id: int) -> "LiveSecrets":
        """Return a site's usable secrets, the newest first."""
        return self.filter(
            Q(ends__isnull=True) | Q(ends__gt=Now()), site_id=site_id
        ).order_by("-created", "-pk")

    def used(self, secret: "AgentSecret") -> None:
        """Note that a secret was used, at most once a minute."""
        self.filter(
            Q(last_used=None) | Q(last_used__lt=Now() - timedelta(minutes=1)),
            pk=secret.pk,
        ).update(last_used=Now())


class AgentSecret(models.Model):
    """One key of a site; two are live during a rotation."""

    site = models.ForeignKey(Site, models.CASCADE, verbose_name=_("sitio"))
    kid = models.CharField(_("clave"), max_length=32)
    sealed = models.BinaryField(_("secreto cifrado"), editable=False)
    created = models.DateTimeField(_("creado"), db_default=Now(), editable=False)
    ends = models.DateTimeField(_("termina"), null=True, blank=True)
    last_used = models.DateTimeField(_("último uso"), null=True, editable=False)

    objects = LiveSecrets.as_manager()

    class Meta:
        verbose_name = _("secreto del agente")
        verbose_name_plural = _("secretos del agente")
        constraints = [
            models.UniqueConstraint(fields=["site", "kid"], name="secret_kid_once"),
            models.UniqueConstraint(
                fields=["site"],
                condition=Q(ends__isnull=True),
                name="secret_one_without_end",
            ),
        ]

    def __str__(self) -> str:
        return self.kid

    @property
    def plain(self) -> str:
        """Return the secret itself; never log or show it after creation."""
        return vault.open_sealed(bytes(self.sealed))

    @classmethod
    def rotate(
        cls, site: Site, *, kid: str, overlap: timedelta, plain: str = ""
    ) -> tuple["AgentSecret", str]:
        """Make the newest secret; the one before it stays live for ``overlap``.

        Returns the row and the secret, which is readable only here.
        """
        plain = plain or secrets.token_urlsafe(SECRET_BYTES)
        cls.objects.filter(site=site, ends__isnull=True).update(ends=Now() + overlap)
        row = cls.objects.create(site=site, kid=kid, sealed=vault.seal(plain))
        return row, plain
