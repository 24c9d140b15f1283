"""Actions: what the agent may use, written by an owner and published in versions."""

from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import path
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from acciones import conditions
from acciones.models import Action
from acciones.publish import publish

from . import autosave, drafts, publishing, versions
from .action_form import ActionForm
from .scoped import ScopedAdmin


class ActionAdmin(ScopedAdmin):
    """Lookups and changes of one's sites.

    Edits of an existing action are kept as its draft; publishing them is a step of
    its own, after a page that says what changes for whom.
    """

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

    def get_urls(self) -> Any:
        """Add where the editor's script saves, and where a draft is thrown away."""
        save = self.admin_site.admin_view(self.autosave_view)
        discard = self.admin_site.admin_view(self.discard_view)
        return [
            path("<int:pk>/borrador/", save, name="acciones_action_draft"),
            path("<int:pk>/descartar/", discard, name="acciones_action_discard"),
            *super().get_urls(),
        ]

    def autosave_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Keep what an owner typed so far."""
        action = self._owned(request, pk)

        def make_form(row: Action, data: Any) -> Any:
            return self.get_form(request, row, change=True)(data, instance=row)

        return autosave.save(request, action, make_form)

    def discard_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Throw an owner's draft away."""
        return autosave.discard(request, self._owned(request, pk))

    def _owned(self, request: HttpRequest, pk: int) -> Action:
        action: Action | None = self.get_object(request, str(pk))
        if action is None:
            raise Http404
        if not self.has_change_permission(request, action):
            raise PermissionDenied
        return action

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> Any:
        """Show the form with what the action looks like from outside, and its past."""
        action = self.get_object(request, object_id)
        if action is None:
            return super().change_view(request, object_id, form_url, extra_context)
        if request.method == "POST" and "_publish" not in request.POST:
            review = self._review(request, action)
            if review is not None:
                return review
        action.refresh_from_db()
        shown = {
            "history": versions.history(action),
            "tool": versions.tool(action),
            "request_shown": versions.request(action),
            "draft": drafts.said(action) if action.draft else None,
        }
        return super().change_view(
            request, object_id, form_url, {**shown, **(extra_context or {})}
        )

    def _review(self, request: HttpRequest, action: Action) -> HttpResponse | None:
        """Say what publishing would change; None where the form is not whole."""
        if not self.has_change_permission(request, action):
            raise PermissionDenied
        make_form: Any = self.get_form(request, action, change=True)
        form = make_form(request.POST, instance=action)
        with transaction.atomic():  # the form locks the row that it compares with
            if not form.is_valid():
                return None
            step = publishing.step(Action.objects.get(pk=action.pk), form.instance)
        if step.is_nothing:
            drafts.drop(action.pk, seen=form.stored)
            messages.info(request, gettext("Nada que publicar: todo sigue igual."))
            return redirect("admin:acciones_action_change", action.pk)
        fields = [
            (name, value)
            for name, values in request.POST.lists()
            for value in values
            if name != "csrfmiddlewaretoken" and not name.startswith("_")
        ]
        context = {
            **self.admin_site.each_context(request),
            "title": gettext("Revisar y publicar"),
            "opts": self.opts,
            "action": action,
            "step": step,
            "fields": fields,
        }
        return TemplateResponse(request, "admin/acciones/action/publish.html", context)

    def save_model(self, request: Any, obj: Any, form: Any, change: bool) -> None:
        """Save and publish; say what that means for open proposals."""
        before = obj.version
        obj.draft = {}
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
