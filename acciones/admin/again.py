"""Offers a failed or expired run's change again, from the run's page, by POST."""

from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext
from django.views.decorators.http import require_POST

from acciones import audit
from acciones.errors import MayaError
from acciones.models import Run
from acciones.steps.reoffer import OVER, reoffer

from .decide import decider, refused
from .reach import Reach


def may_offer(run: Run, mine: Reach) -> bool:
    """Say whether this person may offer this run's change again."""
    return run.state in OVER and mine.decides(run.site_id)


@require_POST
def offer_again(request: HttpRequest, run_id: UUID, mine: Reach) -> HttpResponse:
    """Make a new proposal of an old one; whoever may decide may also do this."""
    member = decider(mine, run_id)
    if Run.objects.filter(pk=run_id, certain=False).exists() and (
        "checked" not in request.POST
    ):
        messages.warning(request, gettext("Di primero que lo comprobaste."))
        return redirect("admin:acciones_run_change", run_id)
    try:
        fresh = reoffer(run_id)
    except MayaError as error:
        messages.warning(request, refused(error))
        return redirect("admin:acciones_run_change", run_id)
    audit.record(
        audit.Kind.DECISION,
        "reoffer",
        surface="admin",
        site=member.site,
        user=member.user,
        subject="run",
        subject_id=run_id,
        after={"proposal": str(fresh.pk)},
    )
    said = gettext("Hay una propuesta nueva: falta que el cliente la confirme.")
    messages.success(request, said)
    return redirect("admin:acciones_run_change", fresh.pk)
