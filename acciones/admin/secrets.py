"""The agent's secrets: made here, shown once, ended here."""

from datetime import timedelta
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import Max, QuerySet
from django.db.models.functions import Now
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import path, reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from acciones import audit
from acciones.models import AgentSecret, Site

from .reach import reach
from .scoped import ScopedAdmin
from .trail import set_row

OVERLAPS = (
    (0, _("Nada: la anterior deja de valer ahora")),
    (24, _("1 día")),
    (7 * 24, _("7 días")),
    (30 * 24, _("30 días")),
)


class RotateForm(forms.Form):
    """Which site gets a new secret, and how long the one before stays live."""

    site: Any = forms.ModelChoiceField(Site.objects.none(), label=_("Sitio"))
    overlap = forms.TypedChoiceField(
        choices=OVERLAPS,
        coerce=int,
        initial=24,
        label=_("La clave anterior sigue valiendo"),
    )
    # The newest secret when the form was drawn: reloading the answer must not rotate
    newest = forms.CharField(widget=forms.HiddenInput, required=False)


def newest(sites: "QuerySet[Site]") -> str:
    """Return a mark of the newest secret of these sites, or an empty text."""
    last = AgentSecret.objects.filter(site__in=sites).aggregate(pk=Max("pk"))["pk"]
    return str(last or "")


class SecretAdmin(ScopedAdmin):
    """Owners alone see that there are secrets; nobody sees one twice."""

    list_display = ("kid", "site", "created", "ends", "last_used", "is_live")
    list_select_related = ("site",)
    ordering = ("site", "-created")

    @admin.display(description=_("vale ahora"), boolean=True)
    def is_live(self, secret: AgentSecret) -> bool:
        """Say whether this secret still verifies."""
        return secret.ends is None or secret.ends > timezone.now()

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Show secrets to owners only."""
        return self.has_change_permission(request, obj)

    def has_module_permission(self, request: HttpRequest) -> bool:
        """Show the menu's entry to owners only."""
        return reach(request).owns_any

    def get_queryset(self, request: HttpRequest) -> Any:
        """Return the secrets of sites that this person owns."""
        return (
            super()
            .get_queryset(request)
            .filter(site__in=reach(request).sites(owned=True))
        )

    def get_urls(self) -> Any:
        """Add the button that ends a secret."""
        end = self.admin_site.admin_view(self.end_view)
        return [
            path("<int:pk>/terminar/", end, name="acciones_agentsecret_end"),
            *super().get_urls(),
        ]

    def add_view(
        self,
        request: HttpRequest,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """Make a secret by POST and show it in that answer alone."""
        if not self.has_add_permission(request):
            raise PermissionDenied
        sites = reach(request).sites(owned=True)
        start = {"site": sites.first(), "newest": newest(sites)}
        form = RotateForm(request.POST or None, initial=start)
        form.fields["site"].queryset = sites  # type: ignore[attr-defined]
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": gettext("Nuevo secreto del agente"),
            "subtitle": None,
            "form": form,
        }
        if request.method != "POST" or not form.is_valid():
            return TemplateResponse(request, "admin/secreto_nuevo.html", context)
        if form.cleaned_data["newest"] != start["newest"]:
            messages.warning(
                request,
                gettext("Ya se creó otro secreto: este formulario era antiguo."),
            )
            return HttpResponseRedirect(self._list())
        secret, plain = self._rotate(request, form)
        context |= {"secret": secret, "plain": plain, "title": gettext("Cópialo ahora")}
        answer = TemplateResponse(request, "admin/secreto_una_vez.html", context)
        answer["Cache-Control"] = "no-store"
        return answer

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """Show what is known about one secret, and the button that ends it."""
        secret = self.get_object(request, object_id)
        if secret is None:
            raise Http404
        if request.method not in {"GET", "HEAD"}:
            raise PermissionDenied
        return TemplateResponse(
            request,
            "admin/secreto.html",
            {
                **self.admin_site.each_context(request),
                "opts": self.opts,
                "title": secret.kid,
                "subtitle": None,
                "secret": secret,
                "is_live": self.is_live(secret),
            },
        )

    def end_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """End a secret now, by POST."""
        if request.method != "POST":
            raise PermissionDenied
        secret = self.get_object(request, str(pk))
        if secret is None:
            raise Http404
        if self.is_live(secret):
            before = audit.fields_of(secret)
            AgentSecret.objects.filter(pk=secret.pk).update(ends=Now())
            secret.refresh_from_db()
            self._audit(request, secret, "end", before)
        messages.success(
            request, gettext("La clave %(kid)s ya no vale.") % {"kid": secret.kid}
        )
        return HttpResponseRedirect(self._list())

    def _rotate(self, request: HttpRequest, form: RotateForm) -> Any:
        site = form.cleaned_data["site"]
        number = AgentSecret.objects.filter(site=site).count() + 1
        while AgentSecret.objects.filter(site=site, kid=f"k{number}").exists():
            number += 1
        secret, plain = AgentSecret.rotate(
            site,
            kid=f"k{number}",
            overlap=timedelta(hours=form.cleaned_data["overlap"]),
        )
        self._audit(request, secret, "rotate", None)
        return secret, plain

    def _audit(
        self,
        request: HttpRequest,
        secret: AgentSecret,
        verb: str,
        before: dict[str, Any] | None,
    ) -> None:
        set_row(
            request,
            secret,
            site=secret.site,
            before=before,
            kind=audit.Kind.SECRET,
            verb=verb,
        )

    def _list(self) -> str:
        return reverse("admin:acciones_agentsecret_changelist")
