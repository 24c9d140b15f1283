"""The approvals inbox: what waits, the oldest first, with what a decision rests on."""

import uuid
from dataclasses import dataclass
from typing import Any

from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from acciones.models import Action, Run, Visitor

from .reach import Reach, reach
from .requests import Request, in_order, loaded, requests, waiting
from .trail import viewed

PER_PAGE = 25
COUNT_CAP = 1000
"""The title says «1000+» beyond this: counting more helps nobody decide."""


@dataclass(frozen=True)
class Asked:
    """What the address asks for: filters, search, page, cards already on screen."""

    site: str
    action: str
    query: str
    page: int
    seen: list[uuid.UUID]

    @classmethod
    def of(cls, request: HttpRequest) -> "Asked":
        """Read the query string; what makes no sense counts as not given."""
        get = request.GET
        page = get.get("p", "1")
        return cls(
            site=get.get("sitio", ""),
            action=get.get("accion", ""),
            query=get.get("q", "").strip()[:100],
            page=max(int(page), 1) if page.isascii() and page.isdigit() else 1,
            seen=uuids(get.get("vistas", "").split(","))[: 2 * PER_PAGE],
        )

    def narrow(self, runs: "QuerySet[Run]") -> "QuerySet[Run]":
        """Keep the runs that the filters and the search ask for."""
        if self.site:
            runs = runs.filter(site__public_id=self.site)
        if self.action:
            runs = runs.filter(action__name=self.action)
        if self.query:
            runs = runs.filter(self._found())
        return runs

    def _found(self) -> Q:
        """Look for the text in what a card shows; no join, so that it stays quick."""
        text = self.query
        people = Q(customer__external_id__icontains=text)
        people |= Q(customer__name__icontains=text)
        return (
            Q(target__icontains=text)
            | Q(digest__startswith=text.lower())
            | Q(action__in=Action.objects.filter(title__icontains=text))
            | Q(visitor__in=Visitor.objects.filter(people))
            | Q(pk__in=uuids([text]))
        )

    @property
    def is_narrowed(self) -> bool:
        """Say whether something may be hidden by a filter."""
        return bool(self.site or self.action or self.query)


def uuids(texts: list[str]) -> list[uuid.UUID]:
    """Return the texts that are UUIDs."""
    found = []
    for text in texts:
        try:
            found.append(uuid.UUID(text))
        except ValueError:
            continue
    return found


@require_GET
def inbox(request: HttpRequest) -> HttpResponse:
    """Show what waits; with ``?trozo``, only the cards, for the live page."""
    mine = reach(request)
    asked = Asked.of(request)
    first = (asked.page - 1) * PER_PAGE
    # Keys are small: one query gives the page and the count together
    enough = max(COUNT_CAP, first + PER_PAGE) + 1
    keys = list(asked.narrow(waiting(mine)).values_list("pk", flat=True)[:enough])
    total = len(keys)
    rows = requests(in_order(keys[first : first + PER_PAGE]), mine)
    viewed(request, "aprobaciones", [row.run for row in rows])
    count = f"{COUNT_CAP}+" if total > COUNT_CAP else str(total)
    context = {
        "rows": rows,
        "total": total,
        "count": count,
        "asked": asked,
        "may_decide_any": any(row.may_decide for row in rows),
    }
    if "trozo" in request.GET:
        context["settled"] = settled(asked.seen, rows, mine)
        return TemplateResponse(request, "admin/aprobaciones/cards.html", context)
    return TemplateResponse(
        request,
        "admin/aprobaciones/inbox.html",
        {
            **admin.site.each_context(request),
            **context,
            **_choices(mine),
            "title": _("Aprobaciones"),
            "subtitle": None,
            "next_page": asked.page + 1 if total > first + PER_PAGE else None,
            "previous_page": asked.page - 1 if asked.page > 1 else None,
        },
    )


def settled(seen: list[uuid.UUID], rows: list[Request], mine: Reach) -> list[Request]:
    """Return the cards on a screen that no longer wait, with what became of them."""
    shown = {row.run.pk for row in rows}
    gone = [pk for pk in seen if pk not in shown]
    if not gone:
        return []
    runs = mine.narrow(loaded(Run.objects.filter(pk__in=gone)), "site_id")
    return [row for row in requests(runs, mine) if not row.waits]


def _choices(mine: Reach) -> dict[str, Any]:
    """Return the filters' choices: the changes within reach, and their sites."""
    changes = mine.narrow(Action.objects.filter(kind=Action.Kind.CHANGE), "site_id")
    found = changes.values_list("name", "title", "site__public_id", "site__name")
    rows = list(found)
    return {
        "actions": _by_title({(name, title) for name, title, _id, _site in rows}),
        "sites": _by_title({(public_id, site) for _n, _t, public_id, site in rows}),
    }


def _by_title(choices: set[tuple[str, str]]) -> list[tuple[str, str]]:
    return sorted(choices, key=lambda choice: choice[1])
