"""Agents: who answers, with which few tools, and whom they may pass it on to."""

from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import admin
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.utils.translation import gettext_lazy as _

from acciones.admin.rows import LinesField
from acciones.admin.scoped import ScopedAdmin
from agente.models import Agent
from agente.tools import names

if TYPE_CHECKING:
    FormBase = forms.ModelForm[Agent]
else:
    FormBase = forms.ModelForm

BASICS = ("site", "name", "title", "description", "instructions", "is_root", "enabled")


class AgentForm(FormBase):
    """An agent; its tools are chosen once it has a site."""

    tools = forms.MultipleChoiceField(
        label=_("Herramientas"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=_("Pocas: cada agente, una responsabilidad."),
    )
    can_handoff_to = forms.MultipleChoiceField(
        label=_("Puede pasar a"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )
    suggestions = LinesField(
        label=_("Mensajes sugeridos"),
        required=False,
        help_text=_("Uno por línea: lo que un chat vacío ofrece enviar."),
    )

    class Meta:
        model = Agent
        fields = "__all__"

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        agent = self.instance
        if agent.pk is None:
            return
        tools = names.of_site(agent.site)
        others = Agent.objects.filter(site=agent.site).exclude(pk=agent.pk)
        self._offer("tools", {name: f"{name} · {tools[name]}" for name in tools})
        self._offer("can_handoff_to", {one.name: one.title for one in others})

    def _offer(self, field: str, choices: dict[str, str]) -> None:
        if field in self.fields:
            chosen: Any = self.fields[field]
            chosen.choices = list(choices.items())

    def clean_is_root(self) -> bool:
        """Keep one coordinator, and always one."""
        wanted = bool(self.cleaned_data["is_root"])
        if self.instance.pk and self.instance.is_root and not wanted:
            raise ValidationError(
                _("Haz coordinador a otro agente; este dejará de serlo.")
            )
        return wanted


class AgentAdmin(ScopedAdmin):
    """The agents of one's sites, with a preview of what each can reach."""

    form = AgentForm
    list_display = ("title", "name", "description", "is_root", "site", "enabled")
    list_select_related = ("site",)
    ordering = ("site", "-is_root", "name")
    readonly_fields = ("reach",)
    fields = (*BASICS, "tools", "can_handoff_to", "reach", "suggestions")

    @admin.display(description=_("lo que alcanza"))
    def reach(self, agent: Agent) -> str:
        """Return a tree: what it reads, what it proposes, and through whom."""
        return render_to_string(
            "admin/agente/reach.html", {"reaches": [names.reach(agent)]}
        )

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """Ask a new agent for its basics; tools belong to a site."""
        return self.fields if obj is not None else BASICS

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """Keep the name: other agents and the log know it by that."""
        fields = super().get_readonly_fields(request, obj)
        return (*fields, "name") if obj is not None else fields

    def save_model(self, request: Any, obj: Any, form: Any, change: bool) -> None:
        """Save; a new coordinator relieves the one before."""
        if obj.is_root:
            others = Agent.objects.filter(site_id=obj.site_id, is_root=True)
            others.exclude(pk=obj.pk).update(is_root=False)
        super().save_model(request, obj, form, change)
