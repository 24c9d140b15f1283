"""Rehearsals: an owner talks with the agent as a test visitor; no change leaves."""

from copy import copy
from dataclasses import replace
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied, ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from acciones import visitors
from acciones.admin.reach import reach
from acciones.admin.requests import Request, loaded, requests
from acciones.admin.scoped import ScopedAdmin
from acciones.errors import MayaError
from acciones.models import Conversation, Customer, Run, Site
from acciones.readers import FOUND, NOT_FOUND
from agente.models import Message, Rehearsal, Turn
from agente.turns import start_message
from maya.lib.shown import visible

if TYPE_CHECKING:
    FormBase = forms.ModelForm[Rehearsal]
else:
    FormBase = forms.ModelForm

SAMPLE = '{"get_order": {"status": "found", "data": {}}}'


class RehearsalForm(FormBase):
    """Who the test visitor is, and whether lookups really ask."""

    site = forms.ModelChoiceField(Site.objects.none(), label=_("Sitio"))
    customer_id = forms.CharField(
        label=_("ID del cliente inventado"),
        required=False,
        max_length=100,
        help_text=_("Vacío: visitante anónimo."),
    )
    customer_name = forms.CharField(
        label=_("Nombre del cliente inventado"), required=False, max_length=200
    )
    lookups = forms.ChoiceField(
        label=_("Las consultas"),
        choices=(
            ("real", _("preguntan de verdad a tu sistema: solo leen")),
            ("canned", _("dan respuestas de ejemplo, marcadas como tales")),
        ),
        widget=forms.RadioSelect,
        initial="real",
    )
    answers = forms.JSONField(
        label=_("Respuestas de ejemplo"),
        required=False,
        help_text=_("Por nombre de consulta: %(sample)s") % {"sample": SAMPLE},
    )

    class Meta:
        model = Rehearsal
        fields: tuple[str, ...] = ()

    def clean_answers(self) -> dict[str, Any]:
        """Demand answers as a lookup gives them."""
        answers: Any = self.cleaned_data["answers"] or {}
        fits = isinstance(answers, dict) and all(
            isinstance(one, dict)
            and set(one) <= {"status", "data"}
            and one.get("status") in {FOUND, NOT_FOUND}
            and isinstance(one.get("data", {}), dict)
            for one in answers.values()
        )
        if not fits:
            raise ValidationError(_("Cada respuesta lleva «status» y «data»."))
        return dict(answers)


class RehearsalAdmin(ScopedAdmin):
    """Rehearsals of one's sites; each is a page to talk on."""

    form = RehearsalForm
    site_path = "conversation__site_id"
    list_display = ("created", "site_name", "visitor_shown", "lookups_shown")
    list_select_related = ("conversation__site", "conversation__visitor__customer")
    ordering = ("-created",)
    fields = ("site", "customer_id", "customer_name", "lookups", "answers")

    @admin.display(description=_("sitio"))
    def site_name(self, row: Rehearsal) -> str:
        """Return the site's name."""
        return row.conversation.site.name

    @admin.display(description=_("visitante"))
    def visitor_shown(self, row: Rehearsal) -> str:
        """Return who the owner played."""
        customer = row.conversation.visitor.customer
        return visible(str(customer)) if customer else gettext("anónimo")

    @admin.display(description=_("consultas"))
    def lookups_shown(self, row: Rehearsal) -> str:
        """Return whether lookups asked."""
        return gettext("reales") if row.canned is None else gettext("de ejemplo")

    def get_form(
        self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any
    ) -> Any:
        """Offer the sites that one owns, to this request alone."""
        form: Any = super().get_form(request, obj, change, **kwargs)
        site = copy(form.base_fields["site"])
        site.queryset = reach(request).sites(owned=True)
        form.base_fields["site"] = site
        return form

    def save_model(self, request: Any, obj: Any, form: Any, change: bool) -> None:
        """Begin the conversation; its session's token is given to nobody."""
        data = form.cleaned_data
        visitor, _token = visitors.open_session(data["site"])
        if data["customer_id"]:
            visitor.customer, _made = Customer.objects.get_or_create(
                site=data["site"],
                external_id=data["customer_id"],
                defaults={"name": data["customer_name"]},
            )
            visitor.save(update_fields=["customer"])
        obj.conversation = Conversation.objects.create(
            site=data["site"], visitor=visitor, rehearsal=True
        )
        obj.canned = data["answers"] if data["lookups"] == "canned" else None
        obj.by = request.user
        super().save_model(request, obj, form, change)

    def response_add(
        self, request: HttpRequest, obj: Any, post_url_continue: Any = None
    ) -> HttpResponse:
        """Go on to the talk."""
        return redirect("admin:agente_rehearsal_change", obj.pk)

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """Show the talk; a POST says something."""
        row: Rehearsal | None = self.get_object(request, object_id)
        if row is None:
            raise Http404
        if request.method == "POST":
            if not self.has_change_permission(request, row):
                raise PermissionDenied
            return self._say(request, row)
        return TemplateResponse(
            request, "admin/agente/ensayo.html", self._shown(request, row)
        )

    def _say(self, request: HttpRequest, row: Rehearsal) -> HttpResponse:
        try:
            start_message(
                visitor=row.conversation.visitor,
                conversation_id=row.conversation_id,
                message_id=uuid4().hex,
                text=request.POST.get("text", ""),
            )
        except MayaError as error:
            messages.warning(request, gettext(error.detail))
        return redirect("admin:agente_rehearsal_change", row.pk)

    def _shown(self, request: HttpRequest, row: Rehearsal) -> dict[str, Any]:
        talk = row.conversation
        runs = loaded(Run.objects.filter(conversation=talk)).order_by("created")
        said = Message.objects.filter(conversation=talk).order_by("created")
        turns = Turn.objects.filter(conversation=talk)
        return {
            **self.admin_site.each_context(request),
            "title": gettext("Ensayo"),
            "opts": self.opts,
            "rehearsal": row,
            "visitor": self.visitor_shown(row),
            "said": [(one.author, visible(one.text)) for one in said],
            "rows": [_unvouched(row) for row in requests(list(runs), reach(request))],
            "is_answering": any(turn.is_open for turn in turns),
            "may_talk": self.has_change_permission(request, row),
        }


def _unvouched(row: Request) -> Request:
    """Say that nobody signed for the customer whom an owner plays."""
    played = replace(
        row.person, how=gettext("Visitante de ensayo: sin firma"), verified=False
    )
    return replace(row, person=played)
