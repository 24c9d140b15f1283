"""What publishing an edited action changes, and for whom: read before it is done."""

from dataclasses import dataclass, replace
from typing import Any

from django.utils.text import capfirst
from django.utils.translation import gettext as _

from acciones.models import Action, ActionVersion, Run
from maya.lib import canonical
from maya.lib.shown import visible

from . import versions, wording

SHOWN = 20
UNSENT = (Run.State.REQUESTED, Run.State.AWAITING_OWNER, Run.State.QUEUED)


@dataclass(frozen=True)
class Step:
    """What would change: fields, a new version or none, and whose proposals fall."""

    changes: list[versions.Change]
    version: int | None
    is_switched_off: bool
    falls: int
    falling: list[dict[str, Any]]

    @property
    def is_nothing(self) -> bool:
        """Say whether publishing would change nothing at all."""
        return not self.changes


def step(before: Action, after: Action) -> Step:
    """Compare the published action with the edited one."""
    last = ActionVersion.objects.filter(action=before).order_by("-number").first()
    is_new = last is None or last.fingerprint != canonical.sha256(after.meaning())
    switched_off = before.enabled and not after.enabled
    falls = Run.objects.none()
    if is_new or switched_off:
        falls = Run.objects.filter(action=before, state__in=UNSENT, attempts=0)
    shown = falls.select_related("proposal__customer").order_by("created")[:SHOWN]
    return Step(
        changes=[
            replace(change, field=_label(change.field))
            for change in versions.changes(_all(before), _all(after))
        ],
        version=before.version + 1 if is_new else None,
        is_switched_off=switched_off,
        falls=falls.count(),
        falling=[_row(run) for run in shown],
    )


def _all(action: Action) -> dict[str, Any]:
    """Return what a version holds, and what changes without making one."""
    return {
        **action.meaning(),
        "connection": f"{action.connection.name} · {action.connection.url}",
        "title": action.title,
        "enabled": action.enabled,
    }


def _label(name: str) -> str:
    return capfirst(str(getattr(Action._meta.get_field(name), "verbose_name", name)))


def _row(run: Run) -> dict[str, Any]:
    customer = run.proposal.customer
    return {
        "pk": run.pk,
        "who": visible(str(customer)) if customer else _("Visitante anónimo"),
        "target": visible(run.target),
        "state": wording.state(run),
        "tone": wording.tone(run),
    }
