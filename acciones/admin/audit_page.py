"""The audit for people: to read, to filter, to take away as CSV."""

import json
from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.urls import path
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _

from acciones.audit_csv import write
from acciones.models import AuditEntry
from maya.lib.shown import visible

from .reach import reach
from .run_filters import CappedPaginator
from .scoped import HistoryAdmin

MOST_ROWS = 50_000


class AuditAdmin(HistoryAdmin):
    """What was done and seen on one's own sites; owners alone read it."""

    list_display = (
        "created",
        "who_shown",
        "surface",
        "address",
        "kind",
        "verb",
        "about",
    )
    list_filter = ("kind", "created")
    search_fields = ("=who", "=subject_id", "=verb")
    search_help_text = _("Busca por cuenta, verbo o ID exactos.")
    ordering = ("-pk",)
    paginator = CappedPaginator
    change_list_template = "admin/auditoria.html"
    fields = (
        "created",
        "who_shown",
        "surface",
        "address",
        "kind",
        "verb",
        "about",
        "old",
        "new",
        "note_shown",
    )
    readonly_fields = fields

    @admin.display(description=_("quién"), ordering="who")
    def who_shown(self, entry: AuditEntry) -> str:
        """Return who it was."""
        return visible(entry.who)

    @admin.display(description=_("sobre"))
    def about(self, entry: AuditEntry) -> str:
        """Return what it was about."""
        return visible(f"{entry.subject} {entry.subject_id}".strip())

    @admin.display(description=_("antes"))
    def old(self, entry: AuditEntry) -> str:
        """Return what was there before."""
        return _pretty(entry.before)

    @admin.display(description=_("después"))
    def new(self, entry: AuditEntry) -> str:
        """Return what was there afterwards."""
        return _pretty(entry.after)

    @admin.display(description=_("nota"))
    def note_shown(self, entry: AuditEntry) -> str:
        """Return the note."""
        return visible(entry.note)

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """Show the shown forms, never the raw ones."""
        return self.readonly_fields

    def site_of(self, obj: Any) -> int:
        """Return the entry's site; entries of no site are support's."""
        return int(obj.site_id or 0)

    def get_queryset(self, request: HttpRequest) -> Any:
        """Return the entries of sites that this person owns."""
        entries = super().get_queryset(request)
        if reach(request).support:
            return entries
        return entries.filter(site__in=reach(request).sites(owned=True))

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Show the audit to owners only."""
        mine = reach(request)
        return mine.owns_any if obj is None else mine.owns(self.site_of(obj))

    def has_module_permission(self, request: HttpRequest) -> bool:
        """Show the menu's entry to owners only."""
        return reach(request).owns_any

    def get_urls(self) -> Any:
        """Add the export beside Django's own pages."""
        csv = self.admin_site.admin_view(self.export_view)
        return [path("csv/", csv, name="acciones_auditentry_csv"), *super().get_urls()]

    def export_view(self, request: HttpRequest) -> HttpResponse:
        """Return the filtered audit as CSV, the newest first."""
        if request.method not in {"GET", "HEAD"} or not self.has_view_permission(
            request
        ):
            raise PermissionDenied
        entries = self.get_changelist_instance(request).get_queryset(request)
        response = HttpResponse(content_type="text/csv; charset=utf-8")
        response["Content-Disposition"] = 'attachment; filename="auditoria.csv"'
        write(entries[:MOST_ROWS], response)
        return response


def _pretty(values: dict[str, Any] | None) -> str:
    if values is None:
        return "—"
    text = json.dumps(values, ensure_ascii=False, indent=2, sort_keys=True)
    shown = "\n".join(visible(line) for line in text.split("\n"))
    return format_html("<pre>{}</pre>", shown)
