"""Tells a site's owners what they must know, by mail; every notice is a row first."""

from datetime import timedelta
from uuid import UUID

from django.conf import settings
from django.core.mail import EmailMessage
from django.db.models import Q
from django.db.models.functions import Now

from maya.lib.each import each

from .models import Member, Notice, Run

CLAIM_SECONDS = 60

UNCERTAIN = """\
No pudimos confirmar el resultado de «{title}» ({target}).

Esto no demuestra que tu sistema no haya hecho ningún cambio. Investígalo en tu
sistema con la clave {run} antes de iniciar otra ejecución.

{url}
"""


def tell(run_id: UUID | str) -> None:
    """Send a run's untold notices; a crash may send one twice, never none."""
    claimed = Notice.objects.filter(
        Q(claimed_until=None) | Q(claimed_until__lt=Now()), run_id=run_id, told_at=None
    ).update(claimed_until=Now() + timedelta(seconds=CLAIM_SECONDS))
    if not claimed:
        return
    run = Run.objects.select_related("action", "site").get(pk=run_id)
    people = _owners(run)
    if people:
        _mail(run, people)
    Notice.objects.filter(run_id=run_id, told_at=None).update(told_at=Now())


def tell_forgotten() -> None:
    """Send the notices whose wake-up or sender was lost."""
    untold = Notice.objects.filter(
        Q(claimed_until=None) | Q(claimed_until__lt=Now()), told_at=None
    )
    each(tell, untold.values_list("run_id", flat=True)[:50])


def _owners(run: Run) -> list[str]:
    return [
        address
        for address in Member.objects.filter(
            site=run.site, role=Member.Role.OWNER, user__is_active=True
        ).values_list("user__email", flat=True)
        if address
    ]


def _mail(run: Run, people: list[str]) -> None:
    url = f"{settings.MAYA_BASE_URL}/admin/acciones/run/{run.pk}/change/"
    EmailMessage(
        subject=f"Revisa «{run.action.title}»: resultado sin confirmar",
        body=UNCERTAIN.format(
            title=run.action.title, target=run.target or "—", run=run.pk, url=url
        ),
        to=people,
    ).send()
