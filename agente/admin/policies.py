"""Policies: the owner's rules, published in versions, with a box to try the search."""

from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import path
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from acciones.admin.reach import reach
from acciones.admin.scoped import ScopedAdmin
from acciones.models import Site
from agente.knowledge.documents import Unreadable, markdown
from agente.knowledge.publish import publish
from agente.knowledge.search import MAXIMUM_QUESTION, search
from agente.models import Policy

if TYPE_CHECKING:
    FormBase = forms.ModelForm[Policy]
else:
    FormBase = forms.ModelForm

LANGUAGES = (("es", _("español")), ("en", _("inglés")))


class PolicyForm(FormBase):
    """A policy and the text of its next version, typed or from a document."""

    text = forms.CharField(
        label=_("Texto"),
        required=False,
        widget=forms.Textarea(attrs={"rows": 24}),
        help_text=_("Markdown. Cada título es una sección que se puede citar."),
    )
    document = forms.FileField(
        label=_("O un documento"),
        required=False,
        help_text=_("Markdown, texto, HTML, PDF o DOCX; sustituye al texto."),
    )
    language = forms.ChoiceField(label=_("Idioma"), choices=LANGUAGES)

    class Meta:
        model = Policy
        fields = ("site", "slug", "title", "enabled")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        last = self.instance.pk and self.instance.versions.order_by("-number").first()
        if last:
            self.initial.update({"text": last.text, "language": last.language})

    def clean(self) -> dict[str, Any]:
        """Read the document, or demand a text."""
        data = super().clean() or self.cleaned_data
        document = data.get("document")
        if document:
            try:
                data["text"] = markdown(document.name, document.read())
            except Unreadable as error:
                raise ValidationError({"document": gettext(str(error))}) from error
        if not data.get("text", "").strip():
            raise ValidationError(
                {"text": gettext("Escribe el texto o sube un documento.")}
            )
        return data


class SearchForm(forms.Form):
    """A question as a customer would put it."""

    site: Any = forms.ModelChoiceField(Site.objects.none(), label=_("Sitio"))
    question = forms.CharField(label=_("Pregunta"), max_length=MAXIMUM_QUESTION)


class PolicyAdmin(ScopedAdmin):
    """What the agent may cite. Saving publishes a version if the text is another."""

    form = PolicyForm
    list_display = ("title", "slug", "sections", "version", "site", "enabled")
    list_select_related = ("site",)
    ordering = ("site", "slug")
    readonly_fields = ("sections", "version")
    fields = ("site", "slug", "title", "enabled", "language", "text", "document")

    @admin.display(description=_("secciones"))
    def sections(self, policy: Policy) -> int:
        """Return how many passages are in force."""
        return policy.passages.filter(current=True).count()

    @admin.display(description=_("versión"))
    def version(self, policy: Policy) -> int:
        """Return the number of the version in force."""
        last = policy.versions.order_by("-number").first()
        return last.number if last else 0

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """Keep the reference: citations know the policy by it."""
        fields = super().get_readonly_fields(request, obj)
        return (*fields, "slug") if obj is not None else fields

    def save_model(self, request: Any, obj: Any, form: Any, change: bool) -> None:
        """Save and publish."""
        super().save_model(request, obj, form, change)
        data = form.cleaned_data
        document = data.get("document")
        version = publish(
            obj,
            data["text"],
            language=data["language"],
            filename=document.name if document else "",
            by=request.user,
        )
        said = gettext("En vigor: versión %(number)d, con %(sections)d secciones.")
        messages.info(
            request, said % {"number": version.number, "sections": self.sections(obj)}
        )

    def get_urls(self) -> Any:
        """Add the search box."""
        view = self.admin_site.admin_view(self.search_view)
        return [path("buscar/", view, name="agente_policy_search"), *super().get_urls()]

    def search_view(self, request: HttpRequest) -> HttpResponse:
        """Show what the agent would find for a question."""
        sites = reach(request).sites()
        form = SearchForm(request.GET or None, initial={"site": sites.first()})
        form.fields["site"].queryset = sites  # type: ignore[attr-defined]
        found = None
        if form.is_valid():
            found = search(form.cleaned_data["site"], form.cleaned_data["question"])
        return TemplateResponse(
            request,
            "admin/agente/search.html",
            {
                **self.admin_site.each_context(request),
                "title": gettext("Qué encontraría el agente"),
                "form": form,
                "found": found,
                "opts": self.opts,
            },
        )
