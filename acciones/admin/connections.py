"""Connections: where a site's actions go; their secret headers go in, never out."""

from typing import TYPE_CHECKING, Any

from cryptography.fernet import InvalidToken
from django import forms
from django.contrib import admin
from django.core.exceptions import ValidationError
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from acciones.models import Connection
from maya.lib import addresses

from .scoped import ScopedAdmin

if TYPE_CHECKING:
    FormBase = forms.ModelForm[Connection]
else:
    FormBase = forms.ModelForm


HEADER_KEEPING = {"kept_headers", "forget_headers"}


class ConnectionForm(FormBase):
    """A connection, with secret headers that can be replaced but not read."""

    url = forms.URLField(
        label=_("Dirección"),
        max_length=500,
        assume_scheme="https",
        help_text=_(
            "HTTPS pública: el origen del endpoint, o la dirección MCP entera."
        ),
    )
    new_headers = forms.CharField(
        label=_("Cabeceras secretas"),
        required=False,
        widget=forms.Textarea(attrs={"rows": 3, "autocomplete": "off"}),
        help_text=_(
            "Una por línea: «Authorization: Bearer …». Vacío deja las que hay; "
            "nunca se muestran."
        ),
    )
    forget_headers = forms.BooleanField(
        label=_("Olvidar las cabeceras guardadas"), required=False
    )

    class Meta:
        model = Connection
        fields = ("site", "name", "kind", "url", "enabled")

    def clean_url(self) -> str:
        """Refuse what dispatch would refuse, and say why."""
        url = str(self.cleaned_data["url"])
        try:
            addresses.judge(url)
        except addresses.Refused as refused:
            raise ValidationError(gettext(str(refused))) from refused
        return url

    def clean(self) -> dict[str, Any]:
        """Never send stored secrets to another place than they were written for."""
        data = super().clean() or self.cleaned_data
        if self.instance.sealed_headers and "url" in data:
            moved = addresses.origin_of(data["url"]) != addresses.origin_of(
                self.initial["url"]
            )
            if moved and not (data.get("new_headers") or data.get("forget_headers")):
                self.add_error(
                    "new_headers",
                    gettext(
                        "Cambia el destino: escribe otra vez las cabeceras u olvídalas."
                    ),
                )
        return data

    def clean_new_headers(self) -> dict[str, str]:
        """Read ``Name: value`` lines."""
        found: dict[str, str] = {}
        for line in str(self.cleaned_data["new_headers"]).splitlines():
            if not line.strip():
                continue
            name, colon, value = line.partition(":")
            is_name = name.strip().replace("-", "").isalnum() and name.isascii()
            if not colon or not is_name or not value.strip():
                # The line itself is not repeated: it may hold a secret
                raise ValidationError(_("Escribe cada cabecera como «Nombre: valor»."))
            found[name.strip()] = value.strip()
        return found


class ConnectionAdmin(ScopedAdmin):
    """The owner's systems: a signed endpoint or an MCP server."""

    form = ConnectionForm
    list_display = ("name", "kind", "url", "site", "enabled")
    list_select_related = ("site",)
    ordering = ("site", "name")
    fields = (
        "site",
        "name",
        "kind",
        "url",
        "enabled",
        "kept_headers",
        "new_headers",
        "forget_headers",
    )
    readonly_fields = ("kept_headers",)

    @admin.display(description=_("cabeceras guardadas"))
    def kept_headers(self, connection: Connection) -> str:
        """Return the names of the stored headers; values stay sealed."""
        try:
            return ", ".join(connection.headers) or "—"
        except InvalidToken:
            return gettext("No se pueden abrir: la clave de cifrado cambió.")

    def get_fields(self, request: Any, obj: Any = None) -> Any:
        """Leave out what only makes sense once, or only for those who may change."""
        if not self.has_change_permission(request, obj):
            return tuple(f for f in self.fields if not f.endswith("_headers"))
        if obj is None:
            return tuple(f for f in self.fields if f not in HEADER_KEEPING)
        return self.fields

    def save_model(self, request: Any, obj: Any, form: Any, change: bool) -> None:
        """Seal new headers before the row is written."""
        if form.cleaned_data.get("forget_headers"):
            obj.headers = {}
        if form.cleaned_data.get("new_headers"):
            obj.headers = form.cleaned_data["new_headers"]
        super().save_model(request, obj, form, change)
