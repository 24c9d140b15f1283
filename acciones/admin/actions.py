"""Actions: what the agent may use, written by an owner and published in versions."""

from typing import Any

from django.contrib import admin, messages
from django.http import HttpRequest
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from acciones import conditions
from acciones.models import Action
from acciones.publish import publish

from . import versions
from .action_form import ActionForm
from .scoped import ScopedAdmin


class ActionAdmin(ScopedAdmin):
    """Lookups and changes of one's sites. Saving publishes what carries meaning."""

    form = ActionForm
    list_display = (
        "title",
        "tool",
        "kind",
        "connection",
        "asks",
        "site",
        "version",
        "enabled",
    )
    list_filter = ("kind", "enabled")
    list_select_related = ("site", "connection", "status_lookup")
    ordering = ("site", "kind", "name")
    readonly_fields = ("tool", "asks", "version")
    fieldsets = (
        (None, {"fields": ("site", "kind", "name", "tool", "title", "description")}),
        (
            _("Adónde va"),
            {"fields": ("connection", "path", "enabled", "version")},
        ),
        (_("Entradas"), {"fields": ("inputs", "bindings", "input_schema")}),
        (
            _("Quién lo permite"),
            {
                "fields": (
                    "requires_customer",
                    "approval",
                    "conditions",
                    "asks",
                    "quorum",
                    "evidence_kinds",
                )
            },
        ),
        (
            _("Registro y dinero"),
            {
                "fields": (
                    "target_kind",
                    "target_input",
                    "money_input",
                    "money_currency",
                    "money_currency_input",
                    "money_exponent",
                )
            },
        ),
        (
            _("Comprobaciones"),
            {
                "classes": ("collapse",),
                "fields": (
                    "fingerprint_paths",
                    "status_lookup",
                    "sends_precondition",
                    "key_kind",
                    "key_name",
                ),
            },
        ),
    )

    @admin.display(description=_("herramienta del modelo"))
    def tool(self, action: Action) -> str:
        """Return the name under which the model sees this action."""
        return action.tool_name if action.name else "—"

    @admin.display(description=_("en palabras"))
    def asks(self, action: Action) -> str:
        """Return the approval mode as a sentence."""
        if action.kind != Action.Kind.CHANGE:
            return gettext("Solo lee: no cambia nada.")
        return gettext(conditions.sentence(action))

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """Keep name and kind: the model and open runs know the action by them."""
        fields = super().get_readonly_fields(request, obj)
        return (*fields, "kind", "name") if obj is not None else fields

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> Any:
        """Show the form with what the action looks like from outside, and its past."""
        shown: dict[str, Any] = {}
        action = self.get_object(request, object_id)
        if action is not None and request.method == "GET":
            shown = {
                "history": versions.history(action),
                "tool": versions.tool(action),
                "request_shown": versions.request(action),
            }
        return super().change_view(
            request, object_id, form_url, {**shown, **(extra_context or {})}
        )

    def save_model(self, request: Any, obj: Any, form: Any, change: bool) -> None:
        """Save and publish; say what that means for open proposals."""
        before = obj.version
        super().save_model(request, obj, form, change)
        version = publish(obj, by=request.user)
        if change and version.number != before:
            messages.warning(
                request,
                gettext(
                    "Publicada la versión %(n)d. Las propuestas abiertas de la "
                    "anterior ya no se enviarán: el cliente recibirá una nueva oferta."
                )
                % {"n": version.number},
            )
