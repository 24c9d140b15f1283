"""Surfaces as data: what the agent may show, and where its values come from."""

from django.db import models

from acciones.models import Site

from .agent import NAME


class SurfaceTemplate(models.Model):
    """A generated surface of a site, shown by the tool ``show_<name>``.

    ``components`` are A2UI components; ``values`` is the data model, in which
    ``{"$from": "<lookup>", "path": "a.0.b"}`` takes a value from the newest reading
    of that lookup in the conversation. Buttons that name a change become offers.
    """

    site = models.ForeignKey(Site, models.CASCADE, verbose_name="sitio")
    name = models.CharField("nombre", max_length=48, validators=[NAME])
    surface_id = models.CharField("superficie", max_length=64)
    description = models.TextField("cuándo mostrarla")
    components = models.JSONField("componentes")
    values = models.JSONField("valores")
    enabled = models.BooleanField("activa", default=True)

    class Meta:
        verbose_name = "superficie"
        verbose_name_plural = "superficies"
        constraints = [
            models.UniqueConstraint(
                fields=["site", "name"], name="surface_template_once"
            )
        ]

    def __str__(self) -> str:
        return self.name
