"""Filters of the runs list that offer only what is within reach, at no great cost."""

from typing import Any

from django.contrib import admin
from django.core.paginator import Paginator
from django.db.models import Q, QuerySet
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _

from acciones.models import Action, Run

from . import wording
from .reach import reach

COUNT_CAP = 10_000
"""Counting a million rows costs more than the page itself; beyond this nobody pages."""


UNCERTAIN = Q(state=Run.State.UNKNOWN) | Q(state=Run.State.FAILED, certain=False)
"""Nobody knows how these ended."""


class CappedPaginator(Paginator):  # type: ignore[type-arg]
    """Counts no further than the last page that anybody would open."""

    @cached_property
    def count(self) -> int:
        """Return the number of rows, or the cap."""
        rows: Any = self.object_list
        return int(rows.order_by()[:COUNT_CAP].count())


class StateFilter(admin.SimpleListFilter):
    """By state in words; an uncertain failure is a choice of its own."""

    title = _("estado")
    parameter_name = "estado"

    def lookups(self, request: Any, model_admin: Any) -> list[tuple[str, Any]]:
        """Return each state, and the uncertain ones together."""
        states = [
            (value, word)
            for value, word in wording.STATES.items()
            if value != Run.State.RUNNING  # the same word as queued
        ]
        return [("incierto", _("sin certeza: compruébalo")), *states]

    def queryset(self, request: Any, queryset: "QuerySet[Run]") -> "QuerySet[Run]":
        """Keep the runs in the chosen state."""
        value = self.value()
        if value == "incierto":
            return queryset.filter(UNCERTAIN)
        if value == Run.State.QUEUED:
            return queryset.filter(state__in=["queued", "running"])
        return queryset.filter(state=value) if value else queryset


class SiteFilter(admin.SimpleListFilter):
    """By site, for whoever has more than one."""

    title = _("sitio")
    parameter_name = "sitio"

    def lookups(self, request: Any, model_admin: Any) -> list[tuple[str, Any]]:
        """Return the sites within reach."""
        mine = reach(request)
        sites = mine.sites() if mine.support else [m.site for m in mine.members]
        return [(site.public_id, site.name) for site in sites]

    def queryset(self, request: Any, queryset: "QuerySet[Run]") -> "QuerySet[Run]":
        """Keep the runs of the chosen site."""
        if not self.value():
            return queryset
        return queryset.filter(site__public_id=self.value())


class ActionFilter(admin.SimpleListFilter):
    """By action, over the sites within reach."""

    title = _("acción")
    parameter_name = "accion"

    def lookups(self, request: Any, model_admin: Any) -> list[tuple[str, Any]]:
        """Return the changes that runs can be of."""
        changes = Action.objects.filter(kind=Action.Kind.CHANGE)
        named = reach(request).narrow(changes, "site_id").values_list("name", "title")
        return sorted(set(named), key=lambda action: action[1])

    def queryset(self, request: Any, queryset: "QuerySet[Run]") -> "QuerySet[Run]":
        """Keep the runs of the chosen action."""
        return queryset.filter(action__name=self.value()) if self.value() else queryset
