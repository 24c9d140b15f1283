"""Surfaces as data: what the agent may show, and where its values come from."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from acciones.models import Site

from .agent import NAME


class SurfaceTemplate(models.Model):
    """A generated surface of a site, shown by the tool ``show_<name>``.

    ``components`` are A2UI components; ``values`` is the data model, in which
    ``{"$from": "<lookup>", "path": "a.0.b"}`` takes a value from the newest reading
    of that lookup in the conversation. Buttons that name a change become offers.
    """

    site = models.ForeignKey(Site, models.CASCADE, verbose_name=_("sitio"))
    name = models.CharField(_("nombre"), max_length=48, validators=[NAME])
    surface_id = models.CharField(_("superficie"), max_length=64)
    description = models.TextField(_("cuándo mostrarla"))
    components = models.JSONField(_("componentes"))
    values = models.JSONField(_("valores"))
    enabled = models.BooleanField(_("activa"), default=True)

    class Meta:
        verbose_name = _("superficie")
        verbose_name_plural = _("superficies")
        constraints = [
            models.UniqueConstraint(
                fields=["site", "name"], name="surface_template_once"
            )
        ]

    def __str__(self) -> str:
        return self.name
