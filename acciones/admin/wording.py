"""How the admin writes values for people: money, bodies, states, spans of time."""

import json
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

from django.utils import timezone
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy

from acciones.models import Attempt, Proposal, Run
from maya.lib.canonical import NotJSON, strict_loads
from maya.lib.shown import visible

State = Run.State

# Lazy, so that each reader gets their own language; the models' labels are Spanish
STATES: dict[str, Any] = {
    State.REQUESTED: gettext_lazy("solicitado"),
    State.AWAITING_OWNER: gettext_lazy("esperando al propietario"),
    State.QUEUED: gettext_lazy("en ejecución"),
    State.RUNNING: gettext_lazy("en ejecución"),
    State.PENDING: gettext_lazy("pendiente"),
    State.UNKNOWN: gettext_lazy("comprobando un resultado desconocido"),
    State.DONE: gettext_lazy("completado"),
    State.FAILED: gettext_lazy("fallido"),
    State.REJECTED: gettext_lazy("rechazado"),
    State.CANCELLED: gettext_lazy("cancelado"),
    State.EXPIRED: gettext_lazy("caducado"),
}
UNCONFIRMED = gettext_lazy("no pudimos confirmar")
TONES: dict[str, str] = {
    State.AWAITING_OWNER: "warning",
    State.UNKNOWN: "warning",
    State.DONE: "success",
    State.FAILED: "danger",
    State.REJECTED: "danger",
}
VERDICTS: dict[str, Any] = {
    Attempt.Verdict.DONE: gettext_lazy("hecho"),
    Attempt.Verdict.PENDING: gettext_lazy("en proceso"),
    Attempt.Verdict.FAILED: gettext_lazy("fallido"),
    Attempt.Verdict.REFUSED: gettext_lazy("rechazado por tu sistema"),
    Attempt.Verdict.UNCERTAIN: gettext_lazy("sin respuesta fiable"),
}
SURFACES: dict[str, Any] = {
    "admin": pgettext_lazy("surface", "el admin"),
    "telegram": pgettext_lazy("surface", "Telegram"),
    "api": pgettext_lazy("surface", "la API"),
    "chat": pgettext_lazy("surface", "el chat"),
}


def state(run: Run) -> str:
    """Return the word for a run's state; an uncertain failure is no failure."""
    if run.state == State.FAILED and run.certain is False:
        return str(UNCONFIRMED)
    return str(STATES[run.state])


def tone(run: Run) -> str:
    """Return the colour's name for a run's state."""
    if run.state == State.FAILED and run.certain is False:
        return "warning"
    return TONES.get(run.state, "neutral")


def verdict(name: str) -> str:
    """Return what we made of an answer, in words."""
    return str(VERDICTS.get(name, _("cerrado sin veredicto")))


def surface(name: str) -> str:
    """Return where somebody decided or consented, in words."""
    return str(SURFACES.get(name, name))


def money(proposal: Proposal) -> str:
    """Return the amount as the reader writes numbers, or an empty text."""
    if proposal.amount_minor is None:
        return ""
    value = Decimal(proposal.amount_minor).scaleb(-proposal.exponent)
    number = number_format(value, decimal_pos=proposal.exponent, force_grouping=True)
    return f"{number}\u00a0{proposal.currency}"


def left(until: datetime) -> str:
    """Return the time left in words: ``23 h 12 min``; never less than nothing."""
    rest = max(until - timezone.now(), timedelta())
    return span(rest)


def span(length: timedelta) -> str:
    """Return a length of time in its two largest useful units."""
    minutes, seconds = divmod(int(length.total_seconds()), 60)
    hours, minutes = divmod(minutes, 60)
    days, hours = divmod(hours, 24)
    if days:
        return ngettext(
            "%(days)d día %(hours)d h", "%(days)d días %(hours)d h", days
        ) % {
            "days": days,
            "hours": hours,
        }
    if hours:
        return _("%(hours)d h %(minutes)d min") % {"hours": hours, "minutes": minutes}
    if minutes:
        return _("%(minutes)d min") % {"minutes": minutes}
    return _("%(seconds)d s") % {"seconds": seconds}


def text_of(value: Any) -> str:
    """Return a value with nothing hidden: strings as they are, the rest as JSON."""
    if isinstance(value, str):
        return visible(value)
    return visible(json.dumps(value, ensure_ascii=False))


def raw(body: bytes | memoryview) -> str:
    """Return stored bytes as text, each hidden character made visible."""
    return visible(bytes(body).decode("utf-8", "backslashreplace"))


def pretty(body: bytes | memoryview) -> str:
    """Return a JSON body indented, in its own key order; other bytes as they are."""
    try:
        parsed = strict_loads(bytes(body))
    except NotJSON:
        return raw(body)
    lines = json.dumps(parsed, ensure_ascii=False, indent=2).split("\n")
    return "\n".join(visible(line) for line in lines)
