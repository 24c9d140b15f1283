"""What to answer when a transition found no legal row: who was faster, or the clock."""

from typing import NoReturn
from uuid import UUID

from django.db.models import F
from django.db.models.functions import Now
from django.utils.translation import gettext as _

from acciones.errors import Expired, NotFound, WrongState
from acciones.models import Decision, Run

from .expire import expire

WAITING = (Run.State.REQUESTED, Run.State.AWAITING_OWNER)


def explain(run_id: UUID | str) -> NoReturn:
    """Commit an expiry that is due, then raise what really happened to the run."""
    if expire(run_id):
        raise Expired(state=Run.State.EXPIRED)
    run = Run.objects.filter(pk=run_id).first()
    if run is None:
        raise NotFound
    if run.state == Run.State.EXPIRED:
        raise Expired(state=run.state)
    raise WrongState(_who(run), state=run.state, reason=run.reason)


def _who(run: Run) -> str:
    decision = Decision.objects.filter(run=run).order_by("-created").first()
    label = Run.State(run.state).label
    if decision is not None:
        verdict = Decision.Verdict(decision.verdict).label
        said = {"verdict": verdict, "who": decision.member_name, "state": label}
        return _("Ya fue %(verdict)s por %(who)s; está «%(state)s».") % said
    return _("Esto ya se había resuelto: está «%(state)s».") % {"state": label}


def overdue() -> list[UUID]:
    """Return the runs whose waiting time is over by the database's clock."""
    return list(
        Run.objects.filter(state__in=WAITING, expires_at__lte=Now())
        .order_by(F("expires_at"))
        .values_list("pk", flat=True)[:500]
    )
