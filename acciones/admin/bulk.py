"""Approving several at once: only the ids shown, after each was shown again."""

from dataclasses import dataclass
from uuid import UUID

from django.contrib import admin, messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from acciones.errors import MayaError
from acciones.models import Run
from acciones.steps.approve import approve

from .decide import REASON_LENGTH, decider, refused
from .inbox import PER_PAGE, uuids
from .outcome import outcome
from .reach import reach
from .requests import loaded, requests, waiting


@dataclass(frozen=True)
class Choice:
    """One box that was ticked: a run and the digest that stood beside it."""

    run_id: UUID
    digest: str


def choices(request: HttpRequest) -> list[Choice]:
    """Read ``run=<id>:<digest>`` once each, in order, a page's worth at most."""
    found: dict[UUID, Choice] = {}
    for value in request.POST.getlist("run")[: 2 * PER_PAGE]:
        text, _colon, digest = value.partition(":")
        for run_id in uuids([text]):
            found.setdefault(run_id, Choice(run_id, digest))
    return list(found.values())


@require_POST
def review(request: HttpRequest) -> HttpResponse:
    """Repeat each chosen request exactly; nothing is decided here."""
    mine = reach(request)
    chosen = [choice.run_id for choice in choices(request)]
    runs = loaded(waiting(mine).filter(pk__in=chosen))
    rows = [row for row in requests(runs, mine) if row.may_decide]
    if not rows:
        messages.warning(request, _("Ya no espera ninguna de las que elegiste."))
        return HttpResponseRedirect(reverse("admin:inbox"))
    return TemplateResponse(
        request,
        "admin/aprobaciones/review.html",
        {
            **admin.site.each_context(request),
            "title": _("Revisa antes de aprobar"),
            "subtitle": None,
            "rows": rows,
            "missing": len(chosen) - len(rows),
        },
    )


@require_POST
def approve_all(request: HttpRequest) -> HttpResponse:
    """Approve each request of the review page, and tell about each that was late."""
    mine = reach(request)
    chosen = choices(request)
    deciders = {c.run_id: decider(mine, c.run_id) for c in chosen}
    reason = request.POST.get("reason", "").strip()[:REASON_LENGTH]
    approved = 0
    for choice in chosen:
        try:
            approve(
                choice.run_id,
                member=deciders[choice.run_id],
                surface="admin",
                digest=choice.digest,
                reason=reason,
            )
        except MayaError as error:
            _tell_late(request, choice, refused(error))
        else:
            approved += 1
    if approved:
        text = ngettext(
            "Aprobaste %(n)d solicitud.", "Aprobaste %(n)d solicitudes.", approved
        )
        messages.success(request, text % {"n": approved})
    return HttpResponseRedirect(reverse("admin:inbox"))


def _tell_late(request: HttpRequest, choice: Choice, detail: str) -> None:
    run = loaded(Run.objects.filter(pk=choice.run_id)).get()
    messages.warning(request, f"{detail} {run.action.title}: {outcome(run)}")
