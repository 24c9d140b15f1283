"""Agents as data: a root coordinator and specialists with few tools."""

from django.core.validators import RegexValidator
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from acciones.models import Site

NAME = RegexValidator(
    r"\A[a-z][a-z0-9_]{0,47}\Z",
    _("Usa minúsculas, números y guion bajo, empezando por una letra."),
)


class Agent(models.Model):
    """One role of a site: a sentence of responsibility, instructions and few tools.

    ``tools`` are names: ``search_policy``, ``ask_customer``, ``lookup_<action>``,
    ``change_<action>``, ``show_<surface>``. ``can_handoff_to`` are other agents'
    names. A name that leads nowhere is ignored: data never breaks a turn.
    """

    site = models.ForeignKey(Site, models.CASCADE, verbose_name=_("sitio"))
    name = models.CharField(_("nombre"), max_length=48, validators=[NAME])
    title = models.CharField(_("título"), max_length=100)
    description = models.CharField(
        _("responsabilidad"),
        max_length=200,
        help_text=_("Una sola frase. Los demás agentes deciden con ella."),
    )
    instructions = models.TextField(_("instrucciones"))
    tools = models.JSONField(_("herramientas"), default=list, blank=True)
    can_handoff_to = models.JSONField(_("puede pasar a"), default=list, blank=True)
    suggestions = models.JSONField(
        _("para empezar"),
        default=list,
        blank=True,
        help_text=_("Mensajes que un chat vacío ofrece enviar (los del coordinador)."),
    )
    is_root = models.BooleanField(_("coordinador"), default=False)
    enabled = models.BooleanField(_("activo"), default=True)
    created = models.DateTimeField(_("creado"), db_default=Now(), editable=False)

    class Meta:
        verbose_name = _("agente")
        verbose_name_plural = _("agentes")
        constraints = [
            models.UniqueConstraint(fields=["site", "name"], name="agent_name_once"),
            models.UniqueConstraint(
                fields=["site"], condition=Q(is_root=True), name="agent_one_root"
            ),
        ]

    def __str__(self) -> str:
        return self.title
