"""Runs: what was asked and what became of it, to read and to export."""

from datetime import datetime
from typing import Any
from uuid import UUID

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import path
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.timezone import localtime
from django.utils.translation import gettext_lazy as _

from acciones.models import Run, Visitor
from maya.lib.shown import visible

from . import again, wording
from .inbox import uuids
from .outcome import outcome
from .reach import reach
from .requests import loaded, requests
from .run_filters import ActionFilter, CappedPaginator, SiteFilter, StateFilter
from .runs_csv import export
from .scoped import HistoryAdmin
from .timeline import timeline
from .trail import viewed

MOST_FOUND = 2000
"""Nobody pages further through the matches of one search."""


def _moment(moment: datetime | None) -> str:
    """Return a time as short as a column is narrow."""
    return date_format(localtime(moment), "SHORT_DATETIME_FORMAT") if moment else ""


class RunAdmin(HistoryAdmin):
    """The seed's columns: state, times, reference, customer; and a timeline each."""

    list_display = (
        "state_word",
        "action_title",
        "target_shown",
        "reference_shown",
        "customer_id_shown",
        "amount",
        "offered",
        "confirmed",
        "decided",
        "finished",
    )
    list_display_links = ("state_word", "action_title")
    list_filter = (StateFilter, ActionFilter, SiteFilter, "created")
    search_fields = ("id", "reference", "target", "visitor__customer__external_id")
    search_help_text = _(
        "Busca por ID de ejecución, referencia, registro o ID de cliente exactos."
    )
    ordering = ("-created",)
    paginator = CappedPaginator
    list_select_related = ("action", "site", "proposal__customer")
    change_list_template = "admin/ejecuciones.html"

    @admin.display(description=_("estado"), ordering="state")
    def state_word(self, run: Run) -> str:
        """Return the state as a coloured word."""
        return format_html(
            '<span class="state state-{}">{}</span>',
            wording.tone(run),
            wording.state(run),
        )

    @admin.display(description=_("acción"), ordering="action__title")
    def action_title(self, run: Run) -> str:
        """Return the action's title."""
        return visible(run.action.title)

    @admin.display(description=_("registro"), ordering="target")
    def target_shown(self, run: Run) -> str:
        """Return the record that would change."""
        return visible(run.target)

    @admin.display(description=_("referencia"), ordering="reference")
    def reference_shown(self, run: Run) -> str:
        """Return the reference that the owner's system gave."""
        return visible(run.reference)

    @admin.display(description=_("ID del cliente"))
    def customer_id_shown(self, run: Run) -> str:
        """Return the verified customer's id."""
        customer = run.proposal.customer
        return visible(customer.external_id) if customer else ""

    @admin.display(description=_("importe"))
    def amount(self, run: Run) -> str:
        """Return the amount as the reader writes numbers."""
        return wording.money(run.proposal)

    @admin.display(description=_("ofrecida"), ordering="created")
    def offered(self, run: Run) -> str:
        """Return when it was offered."""
        return _moment(run.created)

    @admin.display(description=_("confirmada"), ordering="confirmed_at")
    def confirmed(self, run: Run) -> str:
        """Return when the customer confirmed it."""
        return _moment(run.confirmed_at)

    @admin.display(description=_("decidida"), ordering="decided_at")
    def decided(self, run: Run) -> str:
        """Return when a member decided on it."""
        return _moment(run.decided_at)

    @admin.display(description=_("terminada"), ordering="finished_at")
    def finished(self, run: Run) -> str:
        """Return when it ended."""
        return _moment(run.finished_at)

    def get_search_results(
        self, request: HttpRequest, queryset: Any, search_term: str
    ) -> tuple[Any, bool]:
        """Find exact matches only; each kind of them by its own index."""
        text = search_term.strip()
        if not text:
            return queryset, False
        runs = reach(request).narrow(Run.objects.all(), "site_id").order_by()
        people = Visitor.objects.filter(customer__external_id=text)
        kinds = [
            runs.filter(reference=text),
            runs.filter(target=text),
            runs.filter(visitor__in=people),
            runs.filter(pk__in=uuids([text])),
        ]
        found = [kind.values("pk")[:MOST_FOUND] for kind in kinds]
        return queryset.filter(pk__in=found[0].union(*found[1:], all=True)), False

    def get_urls(self) -> Any:
        """Add the export beside Django's own pages."""
        csv = self.admin_site.admin_view(self.export_view)
        reoffer = self.admin_site.admin_view(self.reoffer_view)
        return [
            path("csv/", csv, name="acciones_run_csv"),
            path("<uuid:run_id>/otra/", reoffer, name="acciones_run_reoffer"),
            *super().get_urls(),
        ]

    def export_view(self, request: HttpRequest) -> HttpResponse:
        """Return the filtered list as CSV."""
        if request.method not in {"GET", "HEAD"}:
            raise PermissionDenied
        return export(
            request, self.get_changelist_instance(request).get_queryset(request)
        )

    def reoffer_view(self, request: HttpRequest, run_id: UUID) -> HttpResponse:
        """Offer the change of a failed or expired run again."""
        return again.offer_again(request, run_id, reach(request))

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """Show one run's timeline; there is nothing to change here."""
        if request.method not in {"GET", "HEAD"}:
            raise PermissionDenied
        found = self.get_object(request, object_id)
        if found is None:
            raise Http404
        run = loaded(Run.objects.filter(pk=found.pk)).get()
        viewed(request, "ejecución", [run])
        return TemplateResponse(
            request,
            "admin/ejecucion.html",
            {
                **self.admin_site.each_context(request),
                "title": visible(run.action.title),
                "subtitle": visible(run.target) or None,
                "opts": self.opts,
                "run": run,
                "row": requests([run], reach(request))[0],
                "facts": timeline(run),
                "state": wording.state(run),
                "tone": wording.tone(run),
                "reference": visible(run.reference),
                "outcome": outcome(run),
                "may_reoffer": again.may_offer(run, reach(request)),
                "is_uncertain": wording.tone(run) == "warning"
                and run.state in {Run.State.UNKNOWN, Run.State.FAILED},
            },
        )
