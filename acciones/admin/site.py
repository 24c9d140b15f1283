"""The admin site: who may enter, its menu, and the pages that are no model's."""

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.http import HttpRequest
from django.template.response import TemplateResponse
from django.urls import path
from django.utils.translation import gettext_lazy as _

from acciones import models

from . import bulk, decide, inbox
from .actions import ActionAdmin
from .audit_page import AuditAdmin
from .connections import ConnectionAdmin
from .home import figures
from .identity_page import identity_page
from .navigation import sections
from .people import CustomerAdmin
from .reach import reach
from .runs import RunAdmin
from .scoped import ScopedAdmin, SupportOnly
from .secrets import SecretAdmin
from .sites import SiteAdmin

if TYPE_CHECKING:
    from django.urls import URLPattern, URLResolver

REGISTERED: dict[Any, Any] = {
    models.Run: RunAdmin,
    models.Action: ActionAdmin,
    models.Connection: ConnectionAdmin,
    models.AgentSecret: SecretAdmin,
    models.Customer: CustomerAdmin,
    models.Site: SiteAdmin,
    models.AuditEntry: AuditAdmin,
}


class MayaAdminSite(admin.AdminSite):
    """Django's admin for the members of sites, and for support."""

    site_header = "Maya"
    site_title = "Maya"
    index_title = _("Inicio")
    index_template = "admin/home.html"
    site_url = "/"

    def __init__(self, name: str = "admin") -> None:
        super().__init__(name)
        for model, owner_admin in REGISTERED.items():
            self.register(model, owner_admin)

    def register(
        self, model_or_iterable: Any, admin_class: Any = None, **options: Any
    ) -> None:
        """Register an admin; one that knows nothing of sites is support's alone."""
        chosen = admin_class or admin.ModelAdmin
        if not issubclass(chosen, ScopedAdmin):
            chosen = type(chosen.__name__, (SupportOnly, chosen), {})
        super().register(model_or_iterable, chosen, **options)

    def has_permission(self, request: HttpRequest) -> bool:
        """Let in members and support; being staff alone opens nothing."""
        return not reach(request).is_empty

    def get_app_list(
        self, request: HttpRequest, app_label: str | None = None
    ) -> list[dict[str, Any]]:
        """Return the menu in the owner's words."""
        return sections(request, super().get_app_list(request, app_label))

    def index(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> TemplateResponse:
        """Show what waits and how it has gone."""
        shown = {"figures": figures(reach(request)), **(extra_context or {})}
        return super().index(request, shown)

    def get_urls(self) -> "list[URLPattern | URLResolver]":
        """Add the inbox and its decisions before Django's own pages."""
        ours: dict[str, tuple[str, Any]] = {
            "aprobaciones/": ("inbox", inbox.inbox),
            "aprobaciones/revisar/": ("review", bulk.review),
            "aprobaciones/aprobar/": ("bulk", bulk.approve_all),
            "aprobaciones/<uuid:run_id>/": ("decide", decide.decide),
            "identidad/": ("identity", identity_page),
        }
        return [
            path(route, self.admin_view(view), name=name)
            for route, (name, view) in ours.items()
        ] + super().get_urls()
