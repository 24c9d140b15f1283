"""The admin classes that the others build on: one site's rows, by one's role."""

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.db.models import ForeignKey, Model, QuerySet
from django.http import HttpRequest
from django.utils.text import capfirst

from acciones import audit
from acciones.models import Site

from .reach import reach
from .trail import set_row

if TYPE_CHECKING:
    AnyAdmin = admin.ModelAdmin[Any]
else:
    AnyAdmin = admin.ModelAdmin


class ScopedAdmin(AnyAdmin):
    """Shows a member its sites' rows; owners may change them.

    Permissions come from memberships alone: Django's own model permissions would
    hold for all sites at once.
    """

    site_path = "site_id"
    """The lookup from the model to its site's primary key."""

    actions = None
    view_on_site = False
    show_full_result_count = False
    show_facets = admin.ShowFacets.NEVER
    list_per_page = 50

    def site_of(self, obj: Any) -> int:
        """Return the primary key of the site that a row belongs to."""
        value: Any = obj
        for name in self.site_path.split("__"):
            value = getattr(value, name)
        return int(value)

    def get_queryset(self, request: HttpRequest) -> "QuerySet[Any]":
        """Return the rows within reach, and no others, to every view."""
        return reach(request).narrow(super().get_queryset(request), self.site_path)

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> Any:
        """Name the list for what it shows; Django's own title commands."""
        name = capfirst(self.opts.verbose_name_plural)
        return super().changelist_view(
            request, {"title": name, **(extra_context or {})}
        )

    def has_module_permission(self, request: HttpRequest) -> bool:
        """Show this model to whoever has any site."""
        return not reach(request).is_empty

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Let members see their sites' rows."""
        if obj is None:
            return not reach(request).is_empty
        return reach(request).sees(self.site_of(obj))

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Let owners add; to which site, the form's choices say."""
        return reach(request).owns_any

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Let owners change their sites' rows."""
        if obj is None:
            return reach(request).owns_any
        return reach(request).owns(self.site_of(obj))

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Let nobody delete: history points at these rows."""
        return False

    def save_model(self, request: Any, obj: Any, form: Any, change: bool) -> None:
        """Save, and write into the audit what was there before and after."""
        before = None
        if change:
            before = audit.fields_of(self.model._default_manager.get(pk=obj.pk))
        super().save_model(request, obj, form, change)
        set_row(request, obj, site=self.owner_of(obj), before=before)

    def owner_of(self, obj: Any) -> Site:
        """Return the site that a row belongs to."""
        return obj if isinstance(obj, Site) else Site.objects.get(pk=self.site_of(obj))

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """Keep a row on its site: nothing moves between sites."""
        fields = tuple(super().get_readonly_fields(request, obj))
        return (*fields, "site") if obj is not None and self._has_site() else fields

    def formfield_for_foreignkey(
        self, db_field: "ForeignKey[Any, Any]", request: HttpRequest, **kwargs: Any
    ) -> Any:
        """Offer only what lies on sites that this person owns."""
        related: Any = db_field.related_model
        if related is Site:
            kwargs["queryset"] = reach(request).sites(owned=True)
        elif any(field.name == "site" for field in related._meta.fields):
            owned = reach(request).sites(owned=True)
            kwargs["queryset"] = related._default_manager.filter(site__in=owned)
        return super().formfield_for_foreignkey(db_field, request, **kwargs)

    def _has_site(self) -> bool:
        model: type[Model] = self.model
        return any(field.name == "site" for field in model._meta.fields)


class SupportOnly(AnyAdmin):
    """Mixed into every admin that knows nothing of sites: accounts, groups, others'.

    Django's model permissions would hold for all sites at once, so they count for
    nothing here.
    """

    def has_module_permission(self, request: HttpRequest) -> bool:
        """Show it to support alone."""
        return reach(request).support

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Show it to support alone."""
        return reach(request).support

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Let support alone add."""
        return reach(request).support

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Let support alone change."""
        return reach(request).support

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Let support alone delete."""
        return reach(request).support


class HistoryAdmin(ScopedAdmin):
    """Shows rows that nobody edits: they are what happened."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Refuse: history is written by what happens."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Refuse: history does not change."""
        return False
