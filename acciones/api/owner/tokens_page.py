"""«Llaves de la API»: members make and revoke their own; owners revoke anybody's."""

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Q, QuerySet
from django.db.models.functions import Now
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import path, reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from acciones import audit
from acciones.admin.reach import Reach, reach
from acciones.admin.scoped import ScopedAdmin
from acciones.errors import MayaError
from acciones.models import ApiToken, Member

from .token import issue

if TYPE_CHECKING:
    MemberChoice = forms.ModelChoiceField[Member]
else:
    MemberChoice = forms.ModelChoiceField

LIVES = ((30, _("30 días")), (90, _("90 días")), (365, _("Un año")))


class OwnMembership(MemberChoice):
    """Memberships, called by the site that each is of."""

    def label_from_instance(self, obj: Any) -> str:
        """Return the site's name."""
        return str(obj.site)


class TokenForm(forms.Form):
    """What a new token is for, what it may do and for how long."""

    member = OwnMembership(Member.objects.none(), label=_("Sitio"))
    name = forms.CharField(label=_("Para qué es"), max_length=100)
    scopes = forms.MultipleChoiceField(
        label=_("Permisos"),
        choices=ApiToken.Scope.choices,
        widget=forms.CheckboxSelectMultiple,
    )
    days = forms.TypedChoiceField(
        label=_("Caduca en"), choices=LIVES, coerce=int, initial=90
    )

    def __init__(self, members: "QuerySet[Member]", *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choice: Any = self.fields["member"]
        choice.queryset = members
        choice.initial = members.first()


class TokenAdmin(ScopedAdmin):
    """One page: the tokens there are, and a form for another."""

    site_path = "member__site_id"

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Refuse Django's form: a token is shown once, by our page."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Refuse: a token does not change, it is revoked."""
        return False

    def get_urls(self) -> list[Any]:
        """Add the button that revokes."""
        revoke = self.admin_site.admin_view(self.revoke_view)
        return [
            path("<int:pk>/revocar/", revoke, name="acciones_apitoken_revoke"),
            *super().get_urls(),
        ]

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Show the page; by POST, make a token and show it in that answer alone."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        mine = reach(request)
        form = TokenForm(_own(mine), request.POST or None)
        if request.method != "POST" or not form.is_valid():
            return self._page(request, form)
        try:
            row, plain = self._make(request, form)
        except MayaError as error:
            form.add_error("scopes", gettext(error.detail))
            return self._page(request, form)
        answer = self._page(request, TokenForm(_own(mine)), made=row, plain=plain)
        answer["Cache-Control"] = "no-store"
        return answer

    def change_view(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        """There is no page of one token."""
        raise Http404

    def revoke_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Revoke a token now, by POST."""
        if request.method != "POST":
            raise Http404
        row = _visible(reach(request)).filter(pk=pk).first()
        if row is None:
            raise Http404
        with transaction.atomic():
            live = ApiToken.objects.filter(pk=pk, revoked_at=None)
            if live.update(revoked_at=Now()):
                self._audit(request, row, "api_token.revoke")
        messages.success(request, gettext("La llave ya no vale."))
        return HttpResponseRedirect(reverse("admin:acciones_apitoken_changelist"))

    def _make(self, request: HttpRequest, form: TokenForm) -> tuple[ApiToken, str]:
        given = form.cleaned_data
        with transaction.atomic():
            row, plain = issue(
                given["member"],
                name=given["name"],
                scopes=given["scopes"],
                lives=timedelta(days=given["days"]),
            )
            self._audit(request, row, "api_token.create")
        return row, plain

    def _page(
        self, request: HttpRequest, form: TokenForm, **made: Any
    ) -> TemplateResponse:
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": gettext("Llaves de la API"),
            "subtitle": None,
            "form": form,
            "may_make": form.fields["member"].queryset.exists(),  # type: ignore[attr-defined]
            "tokens": _visible(reach(request)).filter(revoked_at=None),
            **made,
        }
        return TemplateResponse(request, "admin/llaves.html", context)

    def _audit(self, request: HttpRequest, row: ApiToken, verb: str) -> None:
        audit.record(
            audit.Kind.SECRET,
            verb,
            surface="admin",
            site=row.member.site,
            user=request.user,
            subject="api_token",
            subject_id=row.pk,
            after={
                "name": row.name,
                "hint": row.hint,
                "scopes": row.scopes,
                "member": str(row.member.user),
            },
        )


def _own(mine: Reach) -> "QuerySet[Member]":
    """Return the memberships that somebody can make a token for: their own."""
    own = [member.pk for member in mine.members]
    return Member.objects.filter(pk__in=own).select_related("site").order_by("pk")


def _visible(mine: Reach) -> "QuerySet[ApiToken]":
    """Return one's own tokens and those of sites that one owns."""
    own = Q(member__in=[member.pk for member in mine.members])
    owned = Q(member__site__in=mine.sites(owned=True))
    rows = ApiToken.objects.filter(own | owned)
    return rows.select_related("member__site", "member__user").order_by("-created")
