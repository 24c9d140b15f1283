"""The words of alerts: plain text, hidden characters shown, nothing left out."""

from datetime import datetime
from zoneinfo import ZoneInfo

from django.conf import settings
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from acciones.admin import wording
from acciones.models import Decision, Run
from acciones.offered import offered
from maya.lib.shown import visible

State = Run.State


def request(run: Run) -> str:
    """Return everything that a decision on this run rests on."""
    card = offered(run, run.proposal, list(run.proposal.evidence.all()))
    proposal = run.proposal
    target = visible(f"{proposal.target_kind} {proposal.target_ref}".strip())
    about = [part for part in (target, wording.money(proposal)) if part]
    lines = [
        visible(run.action.title),
        " · ".join(about),
        "",
        *[f"{visible(i['label'])}: {i['shown']}" for i in card["input"]],
        "",
        customer(run),
    ]
    for piece in card["evidence"]:
        lines += ["", _evidence(piece)]
    lines += ["", _("Resumen: %(digest)s") % {"digest": card["digest_short"]}]
    return "\n".join(lines)


def customer(run: Run) -> str:
    """Say who asks, and on whose word we believe it."""
    person = run.proposal.customer
    if person is None:
        return _("Visitante anónimo, sin verificar")
    name, known_as = visible(person.name), visible(person.external_id)
    who = f"{name} ({known_as})" if name else known_as
    return _("Cliente verificado por tu sitio: %(who)s") % {"who": who}


def _evidence(piece: dict[str, str]) -> str:
    title = piece["title"] or piece["reference"]
    heading = (
        title if title == piece["reference"] else f"{title} · {piece['reference']}"
    )
    return f"{_('Prueba')}: {heading}\n«{piece['quote']}»"


def headline(run: Run, *, number: int) -> str:
    """Name the site and the occasion; a reminder says how much time is left."""
    site = visible(run.site.name)
    if number == 0:
        return _("%(site)s: una solicitud espera tu decisión") % {"site": site}
    return _("%(site)s: sigue esperando, quedan %(left)s") % {
        "site": site,
        "left": wording.left(run.expires_at),
    }


def deadline(run: Run, zone: str) -> str:
    """Say until when a decision counts."""
    return _("Caduca: %(when)s") % {"when": moment(run.expires_at, zone)}


def too_long(run: Run) -> str:
    """Say that this must be decided where it can be shown whole."""
    return _(
        "%(action)s: los datos no caben enteros en un mensaje. Decide en la web."
    ) % {"action": visible(run.action.title)[:200]}


def inbox_url() -> str:
    """Return the address of the approvals inbox."""
    return f"{settings.MAYA_BASE_URL}{reverse('admin:inbox')}"


def where(run: Run) -> str:
    """Return the address of one request in the inbox; it only shows it."""
    return f"{inbox_url()}?q={run.pk}"


def history(run: Run) -> str:
    """Return the address of a run's history."""
    page = reverse("admin:acciones_run_change", args=[run.pk])
    return f"{settings.MAYA_BASE_URL}{page}"


def decisions(run: Run, zone: str) -> list[str]:
    """Say who decided what, where and when, the earliest first."""
    made = run.decisions.all()
    return [_decision(d, zone) for d in sorted(made, key=lambda d: d.created)]


def _decision(decision: Decision, zone: str) -> str:
    words = {
        "who": visible(decision.member_name),
        "where": wording.surface(decision.surface),
        "when": moment(decision.created, zone),
    }
    if decision.verdict == Decision.Verdict.APPROVE:
        said = _("Aprobada por %(who)s desde %(where)s (%(when)s).") % words
    else:
        said = _("Rechazada por %(who)s desde %(where)s (%(when)s).") % words
    # The reason can be thousands of characters long: it stays in the web
    return f"{said} {_('Con motivo, en la web.')}" if decision.reason else said


def outcome(run: Run) -> str:
    """Say how the run stands now."""
    if run.state == State.EXPIRED:
        return _("Caducó sin decisión; no se envió nada.")
    if run.state == State.REJECTED:
        return _("No se envió nada.")
    if run.state == State.AWAITING_OWNER:
        return _("Aprobaciones: %(given)d de %(needed)d.") % {
            "given": run.approvals,
            "needed": run.quorum,
        }
    said = _("Ahora: %(state)s.") % {"state": wording.state(run)}
    if run.state == State.DONE and run.reference:
        reference = _("Referencia: %(r)s") % {"r": visible(run.reference)}
        return f"{said} {reference}"
    return said


def moment(at: datetime, zone: str) -> str:
    """Write a time by the clock of the reader's zone, which it names."""
    local = at.astimezone(ZoneInfo(zone))
    return f"{date_format(local, 'SHORT_DATETIME_FORMAT')} {local.tzname()}"
