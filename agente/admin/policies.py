"""Policies: what agents may quote; saving another text publishes a version."""

from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import admin, messages
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from acciones.admin.scoped import ScopedAdmin
from agente.knowledge.publish import publish
from agente.models import Policy, PolicyVersion

if TYPE_CHECKING:
    FormBase = forms.ModelForm[Policy]
else:
    FormBase = forms.ModelForm

LANGUAGES = (("es", "Español"), ("en", "English"))


class PolicyForm(FormBase):
    """A policy and the text of its newest version."""

    text = forms.CharField(
        label=_("Texto"),
        widget=forms.Textarea(attrs={"rows": 24}),
        help_text=_("Markdown: cada título es una sección que se puede citar."),
    )
    language = forms.ChoiceField(label=_("Idioma"), choices=LANGUAGES)

    class Meta:
        model = Policy
        fields = ("site", "slug", "title", "enabled")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        last = newest(self.instance)
        if last is not None:
            self.initial.update({"text": last.text, "language": last.language})


def newest(policy: Policy) -> PolicyVersion | None:
    """Return what a policy says now."""
    if not policy.pk:
        return None
    return policy.versions.order_by("-number").first()


@admin.register(Policy)
class PolicyAdmin(ScopedAdmin):
    """The policies of one's sites. Published versions stay what they were."""

    form = PolicyForm
    list_display = ("title", "slug", "enabled", "site")
    list_select_related = ("site",)
    ordering = ("site", "slug")
    fields = ("site", "slug", "title", "enabled", "language", "text")

    def get_readonly_fields(self, request: Any, obj: Any = None) -> Any:
        """Keep the reference: evidence cites it."""
        fields = super().get_readonly_fields(request, obj)
        return (*fields, "slug") if obj is not None else fields

    def save_model(self, request: Any, obj: Any, form: Any, change: bool) -> None:
        """Save, and publish the text if it changed."""
        before = newest(obj)
        super().save_model(request, obj, form, change)
        version = publish(
            obj,
            form.cleaned_data["text"],
            language=form.cleaned_data["language"],
            by=request.user,
        )
        if before is None or version.pk != before.pk:
            text = gettext("Publicada la versión %(n)d.") % {"n": version.number}
            messages.success(request, text)
