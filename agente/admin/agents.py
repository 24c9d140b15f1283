"""Agents: a coordinator and its specialists, as their owner writes them."""

from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import admin
from django.core.exceptions import ValidationError
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from acciones.admin.rows import LinesField
from acciones.admin.scoped import ScopedAdmin
from agente.models import Agent

if TYPE_CHECKING:
    FormBase = forms.ModelForm[Agent]
else:
    FormBase = forms.ModelForm


class AgentForm(FormBase):
    """An agent, with its lists one name a line."""

    tools = LinesField(
        label=_("Herramientas"),
        required=False,
        help_text=_("Una por línea: search_policy, lookup_get_order, ask_customer…"),
    )
    can_handoff_to = LinesField(
        label=_("Puede pasar a"),
        required=False,
        help_text=_("Los nombres de otros agentes, uno por línea."),
    )
    suggestions = LinesField(
        label=_("Para empezar"),
        required=False,
        help_text=_("Mensajes que un chat vacío ofrece enviar, uno por línea."),
    )

    class Meta:
        model = Agent
        fields = "__all__"

    def clean(self) -> dict[str, Any]:
        """Keep one coordinator a site, and say so in words."""
        data = super().clean() or self.cleaned_data
        site = self.instance.site if self.instance.pk else data.get("site")
        if data.get("is_root") and site is not None:
            others = Agent.objects.filter(site=site, is_root=True)
            if others.exclude(pk=self.instance.pk).exists():
                raise ValidationError(gettext("El sitio ya tiene un coordinador."))
        return data


@admin.register(Agent)
class AgentAdmin(ScopedAdmin):
    """The agents of one's sites."""

    form = AgentForm
    list_display = ("title", "name", "description", "is_root", "enabled", "site")
    list_select_related = ("site",)
    ordering = ("site", "-is_root", "name")
    fields = (
        "site",
        "name",
        "title",
        "description",
        "instructions",
        "tools",
        "can_handoff_to",
        "suggestions",
        "is_root",
        "enabled",
    )
