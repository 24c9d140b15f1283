"""The form of an action: its JSON fields as rows, lines and plain fields."""

import re
from typing import TYPE_CHECKING, Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from jsonschema import Draft202012Validator, SchemaError

from acciones.conditions import WORDS
from acciones.models import Action, Connection

from . import drafts
from .rows import Column, LinesField, RowsField

if TYPE_CHECKING:
    FormBase = forms.ModelForm[Action]
else:
    FormBase = forms.ModelForm

INPUT_NAME = re.compile(r"[a-zA-Z_][a-zA-Z0-9_]{0,63}")
SESSION = (
    ("customer.id", _("ID del cliente")),
    ("customer.email", _("correo del cliente")),
    ("customer.name", _("nombre del cliente")),
)
INPUTS = (
    Column("name", _("nombre")),
    Column("label", _("etiqueta")),
    Column("description", _("descripción para el modelo")),
    Column("required", _("obligatoria"), "flag", default=True),
    Column("pattern", _("patrón")),
    Column("max_length", _("máximo"), "number"),
)
BINDINGS = (
    Column("argument", _("entrada")),
    Column("source", _("de la sesión"), "choice", SESSION, "customer.id"),
)
CONDITIONS = (
    Column("field", _("dato: amount, customer, input.…")),
    Column(
        "op", _("compara"), "choice", [(op, _(word)) for op, word in WORDS.items()], ">"
    ),
    Column("value", _("valor")),
)
FIELD = re.compile(r"amount|customer|input\.[a-zA-Z_][a-zA-Z0-9_]*")


class ActionForm(FormBase):
    """What an owner writes of an action, checked before it can be published."""

    inputs = RowsField(INPUTS, label=_("Entradas declaradas"))
    bindings = RowsField(BINDINGS, label=_("Entradas de la sesión"))
    conditions = RowsField(CONDITIONS, label=_("Condiciones"), unique=False)
    evidence_kinds = LinesField(
        label=_("Pruebas necesarias"),
        required=False,
        help_text=_("Una por línea: «policy», «lookup:get_order»…"),
    )
    fingerprint_paths = LinesField(
        label=_("Campos vigilados"),
        required=False,
        help_text=_("Solo consultas; uno por línea: «order.status»."),
    )
    money_input = forms.CharField(label=_("Entrada del importe"), required=False)
    money_currency = forms.RegexField(
        r"\A[A-Z]{3}\Z", label=_("Moneda fija"), required=False
    )
    money_currency_input = forms.CharField(
        label=_("O entrada de la moneda"), required=False
    )
    money_exponent = forms.IntegerField(
        label=_("Decimales"), required=False, min_value=0, max_value=4, initial=2
    )
    key_kind = forms.ChoiceField(
        label=_("La clave MCP va en"),
        required=False,
        choices=(
            ("", _("ninguna parte: un solo intento")),
            ("argument", _("un argumento")),
            ("meta", _("_meta")),
        ),
    )
    key_name = forms.CharField(label=_("Se llama"), required=False)
    # What the editor saw, which page of it this is, and an insistence on being right
    etag = forms.CharField(required=False, widget=forms.HiddenInput)
    page = forms.CharField(required=False, widget=forms.HiddenInput)
    overwrite = forms.CharField(required=False, widget=forms.HiddenInput)

    class Meta:
        model = Action
        exclude = ("money", "key_place")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        action = self.instance
        self.initial["bindings"] = [
            {"argument": name, "source": source}
            for name, source in action.bindings.items()
        ]
        for key in ("input", "currency", "currency_input", "exponent"):
            if key in action.money:
                self.initial[f"money_{key}"] = action.money[key]
        for kind, name in action.key_place.items():
            self.initial.update({"key_kind": kind, "key_name": name})
        if action.pk:
            self.stored = drafts.etag(action)
            self.initial["etag"] = self.stored
            self._overlay(drafts.fields_of(action))

    def _overlay(self, draft: Any) -> None:
        """Show the draft where there is one; what is published stays what it is."""
        if draft is None or self.is_bound:
            return
        for name, field in self.fields.items():
            if name not in {"etag", "page", "overwrite"}:
                typed = field.widget.value_from_datadict(draft, {}, name)
                self.initial[name] = field.bound_data(typed, None)

    def clean_inputs(self) -> list[dict[str, Any]]:
        """Demand names that can be JSON keys, and patterns that compile."""
        rows: list[dict[str, Any]] = self.cleaned_data["inputs"]
        for row in rows:
            if not INPUT_NAME.fullmatch(row["name"]):
                raise ValidationError(_("«%s» no sirve como nombre.") % row["name"])
            try:
                re.compile(row.get("pattern", ""))
            except re.error as error:
                raise ValidationError(
                    _("El patrón de «%s» no es válido.") % row["name"]
                ) from error
        return rows

    def clean_bindings(self) -> dict[str, str]:
        """Turn the rows back into what the ledger reads."""
        return {row["argument"]: row["source"] for row in self.cleaned_data["bindings"]}

    def clean_conditions(self) -> list[dict[str, Any]]:
        """Demand a field that can be known when a proposal is made."""
        rows: list[dict[str, Any]] = self.cleaned_data["conditions"]
        for row in rows:
            if not FIELD.fullmatch(row["field"]):
                raise ValidationError(_("«%s» no es un dato.") % row["field"])
            if row["op"] not in {"present", "absent"} and "value" not in row:
                raise ValidationError(_("Falta el valor de una condición."))
        return rows

    def clean_input_schema(self) -> dict[str, Any]:
        """Demand a JSON Schema of an object."""
        schema: Any = self.cleaned_data.get("input_schema") or {}
        try:
            Draft202012Validator.check_schema(schema)
        except SchemaError as error:
            raise ValidationError(_("No es un esquema JSON válido.")) from error
        if schema and (schema is True or schema.get("type") != "object"):
            raise ValidationError(_("El esquema debe describir un objeto."))
        return dict(schema)

    def clean(self) -> dict[str, Any]:
        """Check what only makes sense together, and set the composed fields."""
        data = super().clean() or self.cleaned_data
        self._refuse_a_silent_overwrite(data)
        site = data.get("site") or self._site()
        for name in ("connection", "status_lookup"):
            row = data.get(name)
            if row is not None and row.site_id != getattr(site, "pk", None):
                self.add_error(name, gettext("Es de otro sitio."))
        self.instance.money = self._money(data)
        self.instance.key_place = (
            {data["key_kind"]: data["key_name"]}
            if data.get("key_kind") and data.get("key_name")
            else {}
        )
        self._check_path(data)
        return data

    def _refuse_a_silent_overwrite(self, data: dict[str, Any]) -> None:
        """Demand the state that the editor saw; the row stays locked from here on."""
        if not self.instance.pk:
            return
        stored = Action.objects.select_for_update(of=("self",)).get(pk=self.instance.pk)
        self.stored = drafts.etag(stored)
        is_own_draft = (
            bool(data.get("page")) and stored.draft.get("page") == data["page"]
        )
        if not is_own_draft and self.stored not in {data["etag"], data["overwrite"]}:
            self.add_error("etag", gettext("Otra persona la cambió mientras editabas."))

    def _site(self) -> Any:
        return self.instance.site if self.instance.pk else None

    def _money(self, data: dict[str, Any]) -> dict[str, Any]:
        name = data.get("money_input")
        if not name:
            return {}
        fixed, read = data.get("money_currency"), data.get("money_currency_input")
        if bool(fixed) == bool(read):
            self.add_error(
                "money_currency",
                gettext("Di la moneda, o qué entrada la trae: una de dos."),
            )
        exponent = data.get("money_exponent")
        return {
            "input": name,
            **({"currency": fixed} if fixed else {"currency_input": read}),
            "exponent": 2 if exponent is None else exponent,
        }

    def _check_path(self, data: dict[str, Any]) -> None:
        connection, path = data.get("connection"), data.get("path", "")
        if connection is None or connection.kind == Connection.Kind.MCP:
            return
        if not path.startswith("/") or path.startswith("//") or "\\" in path:
            self.add_error("path", gettext("La ruta empieza por «/»."))
