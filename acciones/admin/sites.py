"""Sites and their members: owners arrange their own, support opens new ones."""

from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import admin
from django.contrib.auth import get_user_model
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from acciones import audit
from acciones.models import Member, Site

from .reach import reach
from .rows import LinesField
from .scoped import ScopedAdmin
from .trail import set_row

if TYPE_CHECKING:
    MemberRows = admin.StackedInline[Any, Any]
    MemberFormBase = forms.ModelForm[Member]
    SiteFormBase = forms.ModelForm[Site]
    MemberSet = forms.BaseInlineFormSet[Any, Any, Any]
else:
    MemberRows = admin.StackedInline
    MemberFormBase = SiteFormBase = forms.ModelForm
    MemberSet = forms.BaseInlineFormSet


class MemberForm(MemberFormBase):
    """Names a colleague by user name: a list would show other sites' people."""

    username = forms.CharField(label=_("Cuenta"), max_length=150)

    class Meta:
        model = Member
        fields = ("username", "role", "customer_id")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.instance.pk:
            self.fields["username"].initial = self.instance.user.get_username()
            self.fields["username"].disabled = True

    def clean_username(self) -> str:
        """Find the account; one that may not enter the admin is no use here."""
        name = str(self.cleaned_data["username"])
        if self.instance.pk:
            return name
        model: Any = get_user_model()
        user = model.objects.filter(
            **{model.USERNAME_FIELD: name}, is_active=True, is_staff=True
        ).first()
        if user is None:
            raise ValidationError(
                _("No hay ninguna cuenta de personal con ese nombre.")
            )
        self.instance.user = user
        return name


class MembersOfSite(MemberSet):
    """All members of a site; one of them stays its owner."""

    def clean(self) -> None:
        """Refuse to leave the site without an owner, and doubled accounts."""
        super().clean()
        kept = [
            form
            for form in self.forms
            if form.cleaned_data and not form.cleaned_data.get("DELETE")
        ]
        names = [form.cleaned_data.get("username") for form in kept]
        if len(set(names)) != len(names):
            raise ValidationError(_("Una cuenta está dos veces."))
        roles = [form.cleaned_data.get("role") for form in kept]
        if Member.Role.OWNER not in roles:
            raise ValidationError(_("El sitio necesita al menos un propietario."))


class MemberInline(MemberRows):
    """The members of one site."""

    model = Member
    form = MemberForm
    formset = MembersOfSite
    extra = 1
    verbose_name = _("miembro")
    verbose_name_plural = _("miembros")

    def get_queryset(self, request: HttpRequest) -> Any:
        """Join the accounts: one query for all rows."""
        return super().get_queryset(request).select_related("user", "site")

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Let members see who else is one."""
        return obj is None or reach(request).sees(obj.pk)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Let owners give roles."""
        return obj is not None and reach(request).owns(obj.pk)

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Let owners add members; a new site's first owner is support's to name."""
        return reach(request).support if obj is None else reach(request).owns(obj.pk)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Let owners remove members; their decisions keep their names."""
        return obj is not None and reach(request).owns(obj.pk)


class SiteForm(SiteFormBase):
    """A site's settings, with origins one a line."""

    allowed_origins = LinesField(
        label=_("Orígenes permitidos"),
        required=False,
        help_text=_("Uno por línea, por ejemplo https://tienda.example"),
    )

    class Meta:
        model = Site
        fields = "__all__"

    def clean_allowed_origins(self) -> list[str]:
        """Demand exact origins: a scheme, a host, nothing after it."""
        origins: list[str] = self.cleaned_data["allowed_origins"]
        for origin in origins:
            scheme, separator, rest = origin.partition("://")
            if scheme not in {"http", "https"} or not separator or not rest:
                raise ValidationError(_("«%s» no es un origen.") % origin)
            if any(character in rest for character in "/?#*@ "):
                raise ValidationError(_("«%s»: escribe solo esquema y host.") % origin)
        return origins


class SiteAdmin(ScopedAdmin):
    """What an owner arranges about a site and its people."""

    site_path = "pk"
    form = SiteForm
    inlines = (MemberInline,)
    list_display = ("name", "public_id", "language", "created")
    fields = (
        "name",
        "public_id",
        "language",
        "allowed_origins",
        "open_per_visitor",
        "open_per_site",
    )

    def save_formset(self, request: Any, form: Any, formset: Any, change: bool) -> None:
        """Save the members, and write into the audit who got or lost which role."""
        known = Member.objects.filter(site=form.instance)
        before = {member.pk: audit.fields_of(member) for member in known}
        super().save_formset(request, form, formset, change)
        for member in formset.new_objects:
            set_row(request, member, site=form.instance, before=None)
        for member, _names in formset.changed_objects:
            set_row(request, member, site=form.instance, before=before[member.pk])
        for member in formset.deleted_objects:
            old = next(b for b in before.values() if b["user_id"] == member.user_id)
            set_row(request, member, site=form.instance, before=old, gone=True)

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Let support alone open a site."""
        return reach(request).support

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """Keep the public id: installations out there are known by it."""
        return ("public_id",) if obj is not None else ()
