"""Which language model answers for a site; its key goes in and never comes out."""

from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import admin
from django.core.exceptions import ValidationError
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from acciones.admin.scoped import ScopedAdmin
from agente.language.choose import PROVIDERS
from agente.models import Language
from maya.lib import addresses

if TYPE_CHECKING:
    FormBase = forms.ModelForm[Language]
else:
    FormBase = forms.ModelForm


class LanguageForm(FormBase):
    """A model's address, name and key."""

    base_url = forms.URLField(
        label=_("Dirección"),
        required=False,
        max_length=300,
        assume_scheme="https",
        help_text=_("Vacía: la del proveedor."),
    )
    new_key = forms.CharField(
        label=_("Clave"),
        required=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "off"}),
        help_text=_("Vacía deja la que hay; nunca se muestra."),
    )

    class Meta:
        model = Language
        fields = ("site", "provider", "base_url", "name", "finish_reason_required")

    def clean_provider(self) -> str:
        """Refuse a provider that this version cannot speak to yet."""
        provider = str(self.cleaned_data["provider"])
        if provider not in PROVIDERS:
            raise ValidationError(_("Esta versión todavía no habla con él."))
        return provider

    def clean_base_url(self) -> str:
        """Refuse an address that we would not connect to, and say why."""
        url = str(self.cleaned_data["base_url"])
        try:
            if url:
                addresses.judge(url)
        except addresses.Refused as refused:
            raise ValidationError(gettext(str(refused))) from refused
        return url

    def clean(self) -> dict[str, Any]:
        """Never send a stored key to another place than it was written for."""
        data = super().clean() or self.cleaned_data
        moved = "base_url" in self.changed_data or "provider" in self.changed_data
        if self.instance.sealed_key and moved and not data.get("new_key"):
            self.add_error(
                "new_key", gettext("Cambia el destino: escribe la clave otra vez.")
            )
        if data.get("provider") != Language.Provider.SCRIPTED and not data.get("name"):
            self.add_error("name", gettext("Di qué modelo."))
        return data


@admin.register(Language)
class LanguageAdmin(ScopedAdmin):
    """The models of one's sites; a site without one uses the offline script."""

    form = LanguageForm
    list_display = ("site", "provider", "name", "has_key", "changed")
    list_select_related = ("site",)
    ordering = ("site",)
    fields = (
        "site",
        "provider",
        "base_url",
        "name",
        "has_key",
        "new_key",
        "finish_reason_required",
    )
    readonly_fields = ("has_key",)

    @admin.display(description=_("clave guardada"), boolean=True)
    def has_key(self, row: Language) -> bool:
        """Say whether a key is stored; the key itself stays sealed."""
        return bool(row.sealed_key)

    def get_fields(self, request: Any, obj: Any = None) -> Any:
        """Leave the key's field to those who may write it."""
        if self.has_change_permission(request, obj):
            return self.fields
        return tuple(field for field in self.fields if field != "new_key")

    def save_model(self, request: Any, obj: Any, form: Any, change: bool) -> None:
        """Seal a new key before the row is written."""
        if form.cleaned_data.get("new_key"):
            obj.key = form.cleaned_data["new_key"]
        super().save_model(request, obj, form, change)
