"""«Clientes con sesión iniciada»: how to vouch for customers, and a check of it."""

from typing import Any

from django import forms
from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.template.response import TemplateResponse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods

from acciones.models import Action, AgentSecret, Site

from . import diagnose
from .reach import Reach, reach

LANGUAGES = (("py", "Python"), ("mjs", "Node"), ("php", "PHP"))
LONGEST = 64 * 1024


class CheckForm(forms.Form):
    """A pasted token, or what a signature was made over."""

    site: Any = forms.ModelChoiceField(Site.objects.none(), label=_("Sitio"))
    token = forms.CharField(
        label=_("Un JWT de identidad"),
        required=False,
        max_length=LONGEST,
        widget=forms.Textarea(attrs={"rows": 3, "autocomplete": "off"}),
    )
    signature = forms.CharField(
        label=_("O una firma (v1=…)"), required=False, max_length=200
    )
    timestamp = forms.CharField(
        label=_("con este tiempo (x-maf-timestamp)"), required=False, max_length=32
    )
    run_id = forms.CharField(
        label=_("si es de un callback, el ID de ejecución"),
        required=False,
        max_length=64,
    )
    body = forms.CharField(
        label=_("y este cuerpo, tal cual"),
        required=False,
        max_length=LONGEST,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 4}),
    )


@require_http_methods(["GET", "HEAD", "POST"])
def identity_page(request: HttpRequest) -> HttpResponse:
    """Show the snippets; with a POST, also what is wrong with what was pasted."""
    mine = reach(request)
    if not mine.owns_any:
        raise PermissionDenied
    sites = mine.sites(owned=True)
    form = CheckForm(request.POST or None, initial={"site": sites.first()})
    form.fields["site"].queryset = sites  # type: ignore[attr-defined]
    findings = _findings(form) if request.method == "POST" and form.is_valid() else None
    site = form.cleaned_data["site"] if findings is not None else sites.first()
    return TemplateResponse(
        request,
        "admin/identidad.html",
        {
            **admin.site.each_context(request),
            "title": gettext("Clientes con sesión iniciada"),
            "subtitle": None,
            "form": form,
            "findings": findings,
            "snippets": snippets(site),
            "exposed": exposed(mine),
        },
    )


def _findings(form: CheckForm) -> list[diagnose.Finding]:
    data = form.cleaned_data
    secrets = list(AgentSecret.objects.live(data["site"].pk))
    if data["token"]:
        return diagnose.token(data["token"], data["site"], secrets)
    # A browser sends line breaks in a text field as CR LF
    body = data["body"].replace("\r\n", "\n").encode()
    return diagnose.signature(
        data["signature"],
        timestamp=data["timestamp"].strip(),
        body=body,
        run_id=data["run_id"].strip(),
        secrets=secrets,
    )


def snippets(site: Site | None) -> list[dict[str, str]]:
    """Return code to copy, per language, with the site's id and newest key in it."""
    secret = AgentSecret.objects.live(site.pk).first() if site else None
    values = {
        "site": site.public_id if site else "YOUR_SITE_ID",
        "kid": secret.kid if secret else "k1",
    }
    return [
        {
            "language": language,
            "token": render_to_string(f"admin/snippets/token.{ending}.txt", values),
            "request": render_to_string(f"admin/snippets/request.{ending}.txt"),
        }
        for ending, language in LANGUAGES
    ]


def exposed(mine: Reach) -> list[Action]:
    """Return live actions on a record that anybody may use without signing in."""
    actions = Action.objects.filter(enabled=True, requires_customer=False)
    owned = actions.filter(site__in=mine.sites(owned=True)).exclude(target_input="")
    return list(owned.select_related("site").order_by("site", "name")[:20])
