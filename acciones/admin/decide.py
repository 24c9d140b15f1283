"""A member's yes or no from the admin: by POST, on the digest that was on screen."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST

from acciones.errors import MayaError
from acciones.models import Member, Run
from acciones.steps.approve import approve
from acciones.steps.reject import reject

from .outcome import outcome
from .reach import Reach, reach
from .requests import loaded, requests

VERBS = {"approve": approve, "reject": reject}
REASON_LENGTH = 5000

# The card says who decided and when; a refusal need not say it again, in one language
REFUSALS = {
    "already_decided": _("Ya habías decidido."),
    "digest_mismatch": _(
        "Lo que viste no coincide con lo guardado; no se decidió nada. Recarga."
    ),
    "expired": _("Llegaste tarde: se acabó el plazo."),
    "wrong_state": _("Llegaste tarde: ya se había decidido."),
}


def refused(error: MayaError) -> str:
    """Return what to tell whoever was refused, in the reader's language."""
    return str(REFUSALS.get(error.code) or gettext(error.detail))


@require_POST
def decide(request: HttpRequest, run_id: UUID) -> HttpResponse:
    """Approve or reject one run, and say what really happened."""
    verdict = VERBS.get(request.POST.get("verdict", ""))
    if verdict is None:
        raise Http404
    member = decider(reach(request), run_id)
    refusal = ""
    try:
        verdict(
            run_id,
            member=member,
            surface="admin",
            digest=request.POST.get("digest", ""),
            reason=request.POST.get("reason", "").strip()[:REASON_LENGTH],
        )
    except MayaError as error:
        refusal = refused(error)
    return _answer(request, run_id, refusal)


def decider(mine: Reach, run_id: UUID) -> Member:
    """Return the membership that decides on a run; 404 out of reach, else 403."""
    run = mine.narrow(Run.objects.filter(pk=run_id), "site_id").first()
    if run is None:
        raise Http404
    member = mine.member(run.site_id)
    if member is None or not member.may_decide:
        raise PermissionDenied
    return member


def _answer(request: HttpRequest, run_id: UUID, refusal: str) -> HttpResponse:
    """Give the live page its card anew; give everybody else the inbox."""
    run = loaded(Run.objects.filter(pk=run_id)).get()
    if request.headers.get("x-maya-fragment"):
        row = requests([run], reach(request))[0]
        context: dict[str, Any] = {"row": row, "refusal": refusal}
        return TemplateResponse(request, "admin/aprobaciones/card.html", context)
    said = f"{run.action.title}: {outcome(run)}"
    if refusal:
        messages.warning(request, f"{refusal} {said}")
    else:
        messages.success(request, said)
    return HttpResponseRedirect(reverse("admin:inbox"))
