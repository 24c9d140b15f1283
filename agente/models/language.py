"""Which language model answers for a site."""

from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from acciones.models import Site
from maya.lib import vault


class Language(models.Model):
    """A site's language model; a site without a row uses the scripted one."""

    class Provider(models.TextChoices):
        SCRIPTED = "scripted", _("guion sin conexión")
        OPENAI = "openai", _("compatible con OpenAI")
        ANTHROPIC = "anthropic", _("Anthropic")

    site = models.OneToOneField(
        Site, models.CASCADE, verbose_name=_("sitio"), related_name="language_model"
    )
    provider = models.CharField(
        _("proveedor"),
        max_length=16,
        choices=Provider.choices,
        default=Provider.SCRIPTED,
    )
    base_url = models.URLField(_("dirección"), max_length=300, blank=True)
    name = models.CharField(_("modelo"), max_length=200, blank=True)
    sealed_key = models.BinaryField(null=True, blank=True, editable=False)
    # Some local servers send null on complete replies; a null is otherwise a cut
    finish_reason_required = models.BooleanField(
        _("exige el motivo de fin"),
        default=True,
        help_text=_("Desactívalo solo si tu servidor nunca dice por qué terminó."),
    )
    changed = models.DateTimeField(_("cambiado"), db_default=Now(), editable=False)

    class Meta:
        verbose_name = _("modelo de lenguaje")
        verbose_name_plural = _("modelos de lenguaje")

    def __str__(self) -> str:
        return self.name or self.get_provider_display()

    @property
    def key(self) -> str:
        """Return the provider's key; never log or show it."""
        return vault.open_sealed(bytes(self.sealed_key)) if self.sealed_key else ""

    @key.setter
    def key(self, plain: str) -> None:
        self.sealed_key = vault.seal(plain) if plain else None
