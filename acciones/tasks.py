"""Celery's side: short wake-ups with ids; rows are the truth."""

from celery import shared_task
from django.db.models.functions import Now

from maya.lib.each import each

from . import notices
from .models import Run
from .steps import lost
from .steps.dispatch import dispatch as dispatch_run
from .steps.expire import expire
from .steps.recover import abandoned, recover
from .steps.verify import verify as verify_run

BATCH = 200


@shared_task(name="acciones.dispatch")
def dispatch(run_id: str) -> None:
    """Carry a run on, if it is due."""
    dispatch_run(run_id)


@shared_task(name="acciones.verify")
def verify(run_id: str) -> None:
    """Read a finished change back, where its action has a status lookup."""
    verify_run(run_id)


@shared_task(name="acciones.tell_owner")
def tell_owner(run_id: str) -> None:
    """Tell the owners of a site about a run that ended in doubt."""
    notices.tell(run_id)


@shared_task(name="acciones.sweep")
def sweep() -> None:
    """Find what a lost wake-up missed: due runs, lost leases, ended waiting times."""
    each(recover, abandoned())
    each(expire, lost.overdue())
    due = Run.objects.filter(
        state__in=[Run.State.QUEUED, Run.State.UNKNOWN], due_at__lte=Now()
    ).order_by("due_at")
    for run_id in due.values_list("pk", flat=True)[:BATCH]:
        dispatch.delay(str(run_id))
    notices.tell_forgotten()
