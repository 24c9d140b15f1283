"""Policies: what the owner's rules say, in passages that can be cited."""

from django.conf import settings
from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.search import SearchVector, SearchVectorField
from django.db import models
from django.db.models import F
from django.db.models.expressions import CombinedExpression
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from acciones.models import Site

SPANISH, ENGLISH = "es_unaccent", "english"
"""Text search configurations; ``es_unaccent`` comes with our migration."""


def _weighed(config: str) -> CombinedExpression:
    return SearchVector("title", "heading", weight="A", config=config) + SearchVector(
        "text", weight="B", config=config
    )


class Policy(models.Model):
    """A document of rules, known by its slug: ``returns-policy``."""

    site = models.ForeignKey(Site, models.CASCADE, verbose_name=_("sitio"))
    slug = models.SlugField(_("referencia"), max_length=64)
    title = models.CharField(_("título"), max_length=200)
    enabled = models.BooleanField(_("activa"), default=True)

    class Meta:
        verbose_name = _("política")
        verbose_name_plural = _("políticas")
        constraints = [
            models.UniqueConstraint(fields=["site", "slug"], name="policy_slug_once")
        ]

    def __str__(self) -> str:
        return self.title


class PolicyVersion(models.Model):
    """What a policy said when it was published; never changed afterwards."""

    policy = models.ForeignKey(Policy, models.CASCADE, related_name="versions")
    number = models.PositiveIntegerField(_("versión"))
    language = models.CharField(_("idioma"), max_length=8, default="es")
    text = models.TextField(
        _("texto"), help_text=_("Markdown: cada título es una sección.")
    )
    filename = models.CharField(_("archivo"), max_length=200, blank=True)
    published = models.DateTimeField(_("publicada"), db_default=Now(), editable=False)
    published_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True
    )

    class Meta:
        verbose_name = _("versión de la política")
        verbose_name_plural = _("versiones de la política")
        ordering = [F("number").desc()]
        constraints = [
            models.UniqueConstraint(
                fields=["policy", "number"], name="policy_version_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.policy} v{self.number}"


class Passage(models.Model):
    """One section of a published version: what gets found and cited.

    ``vector`` is written by the database: title and heading weigh A, the body B.
    """

    policy = models.ForeignKey(Policy, models.CASCADE, related_name="passages")
    version = models.ForeignKey(PolicyVersion, models.CASCADE, related_name="passages")
    current = models.BooleanField(_("vigente"), default=True)
    section = models.CharField(_("sección"), max_length=64)
    title = models.CharField(_("título"), max_length=200)
    heading = models.CharField(_("apartado"), max_length=300, blank=True)
    text = models.TextField(_("texto"))
    language = models.CharField(_("idioma"), max_length=8, default="es")
    vector = models.GeneratedField(
        # Each in its own language: "la" is an English word as good as any other
        expression=models.Case(
            models.When(language="en", then=_weighed(ENGLISH)),
            default=_weighed(SPANISH),
        ),
        output_field=SearchVectorField(),
        db_persist=True,
    )

    class Meta:
        verbose_name = _("pasaje")
        verbose_name_plural = _("pasajes")
        constraints = [
            models.UniqueConstraint(
                fields=["version", "section"], name="passage_section_once"
            )
        ]
        indexes = [GinIndex(fields=["vector"], name="passage_search")]

    def __str__(self) -> str:
        return self.reference

    @property
    def reference(self) -> str:
        """Return what a citation names: ``returns-policy:section-3``."""
        return f"{self.policy.slug}:section-{self.section}"
