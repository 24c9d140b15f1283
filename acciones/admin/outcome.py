"""What became of a request: one sentence for whoever comes late."""

from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from acciones.models import Decision, Run
from maya.lib.shown import visible

from . import wording

State = Run.State


def outcome(run: Run) -> str:
    """Say what really happened to a run, and who decided it.

    Expects ``run.decisions`` to be prefetched.
    """
    decisions = sorted(run.decisions.all(), key=lambda decision: decision.created)
    said = [_sentence(decision) for decision in decisions]
    return " ".join([*said, _now(run)]).strip()


def _sentence(decision: Decision) -> str:
    words = {
        "who": visible(decision.member_name),
        "where": wording.surface(decision.surface),
        "when": date_format(localtime(decision.created), "SHORT_DATETIME_FORMAT"),
    }
    if decision.verdict == Decision.Verdict.APPROVE:
        said = _("La aprobó %(who)s desde %(where)s (%(when)s).") % words
    else:
        said = _("La rechazó %(who)s desde %(where)s (%(when)s).") % words
    if decision.reason:
        said += " " + _("Motivo: «%(reason)s».") % {"reason": visible(decision.reason)}
    return said


def _now(run: Run) -> str:
    if run.state == State.EXPIRED:
        return _("Caducó sin que nadie decidiera a tiempo; no se envió nada.")
    if run.state == State.CANCELLED:
        return _("El cliente la canceló; no se envió nada.")
    if run.state == State.REJECTED:
        return _("No se envió nada.")
    if run.state == State.AWAITING_OWNER:
        return _("Faltan aprobaciones: %(given)d de %(needed)d.") % {
            "given": run.approvals,
            "needed": run.quorum,
        }
    return _("Ahora: %(state)s.") % {"state": wording.state(run)}
