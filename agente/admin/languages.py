"""The language model of a site: its key goes in, never out; a button tries it."""

from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from acciones.admin.scoped import ScopedAdmin
from agente.language.choose import speaker_of
from agente.language.trial import try_out
from agente.models import Language
from maya.lib import addresses

if TYPE_CHECKING:
    FormBase = forms.ModelForm[Language]
else:
    FormBase = forms.ModelForm

TRY = "_try"


class LanguageForm(FormBase):
    """A model's address and name, and a key that can be replaced but not read."""

    base_url = forms.URLField(
        label=_("Dirección"),
        required=False,
        assume_scheme="https",
        max_length=300,
        help_text=_("Vacía: la del proveedor. Con /v1 si el servidor la pide."),
    )
    new_key = forms.CharField(
        label=_("Clave"),
        required=False,
        strip=True,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
        help_text=_("Vacía deja la que hay; nunca se muestra."),
    )

    class Meta:
        model = Language
        fields = ("site", "provider", "base_url", "name", "finish_reason_required")

    def clean_base_url(self) -> str:
        """Refuse what a request would refuse, and say why."""
        url = str(self.cleaned_data["base_url"])
        try:
            if url:
                addresses.judge(url)
        except addresses.Refused as refused:
            raise ValidationError(gettext(str(refused))) from refused
        return url

    def clean(self) -> dict[str, Any]:
        """Demand a model's name, and the key again where it would go elsewhere."""
        data = super().clean() or self.cleaned_data
        network = data.get("provider") != Language.Provider.SCRIPTED
        if network and not data.get("name"):
            self.add_error("name", gettext("Escribe el nombre del modelo."))
        # A saved key goes only where it was written for, as connections' headers do
        moved = {"base_url", "provider"} & set(self.changed_data)
        if self.instance.sealed_key and moved and not data.get("new_key") and network:
            self.add_error(
                "new_key", gettext("Cambia el destino: escribe otra vez la clave.")
            )
        return data


class LanguageAdmin(ScopedAdmin):
    """Which model speaks; without a row a site speaks by its script, offline."""

    form = LanguageForm
    change_form_template = "admin/agente/language/change_form.html"
    list_display = ("__str__", "provider", "site", "has_key")
    list_select_related = ("site",)
    readonly_fields = ("has_key",)
    fields = (
        "site",
        "provider",
        "base_url",
        "name",
        "has_key",
        "new_key",
        "finish_reason_required",
    )

    @admin.display(description=_("tiene clave"), boolean=True)
    def has_key(self, language: Language) -> bool:
        """Say whether a key is stored."""
        return bool(language.sealed_key)

    def save_model(self, request: Any, obj: Any, form: Any, change: bool) -> None:
        """Seal a new key before the row is written."""
        if form.cleaned_data.get("new_key"):
            obj.key = form.cleaned_data["new_key"]
        super().save_model(request, obj, form, change)

    def response_change(self, request: HttpRequest, obj: Any) -> HttpResponse:
        """Try the model if that button was pressed."""
        if TRY not in request.POST:
            return super().response_change(request, obj)
        trial = try_out(speaker_of(obj.site))
        if trial.problem:
            messages.error(request, gettext(trial.problem))
        elif not trial.calls_tools:
            messages.warning(
                request,
                gettext(
                    "Responde, pero no llamó a la herramienta: sin eso no sirve aquí."
                ),
            )
        else:
            said = gettext("Responde y usa herramientas: %(seconds).1f s.")
            messages.success(request, said % {"seconds": trial.seconds})
        stay = request.POST.copy()
        stay["_continue"] = "1"
        request.POST = stay  # type: ignore[assignment]
        return super().response_change(request, obj)
