"""Composes one alert as it must read now: text, buttons, and whether it is the last.

A message that shows less than everything gets no buttons: what does not fit is
decided on the web, never cut.
"""

import hashlib
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import override

from acciones.models import Run
from canales.models import Alert, TelegramLink
from maya.lib.shown import visible

from . import words

# Telegram counts UTF-16 code units, as its entities' offsets do
MAXIMUM = 4096


@dataclass(frozen=True)
class Shown:
    """What a message says, up to which event, and whether it will ever change."""

    text: str
    buttons: bool = False
    seq: int = 0
    closes: bool = False

    @property
    def hash(self) -> str:
        """Return what tells one appearance of a message from another."""
        return hashlib.sha256(f"{self.buttons}\n{self.text}".encode()).hexdigest()


def units(text: str) -> int:
    """Return a text's length as Telegram counts it."""
    return len(text.encode("utf-16-le")) // 2


def compose(alert: Alert) -> Shown:
    """Return the alert as it reads at this moment, in its chat's language.

    Expects ``loaded`` rows.
    """
    link = alert.chat
    with override(link.language):
        if alert.kind == Alert.Kind.WELCOME:
            return Shown(_welcome(link), closes=True)
        if alert.kind == Alert.Kind.OUTAGE:
            return Shown(outage(alert), closes=True)
        if alert.kind == Alert.Kind.UNCERTAIN:
            return Shown(uncertain(alert), closes=True)
        return _approval(alert, link)


def loaded(alert_id: int) -> Alert:
    """Return an alert with everything that its words look at."""
    return (
        Alert.objects.select_related(
            "link__member__user",
            "link__site",
            "member__user",
            "outage__connection",
            "outage__site",
            "run__site",
            "run__action",
            "run__proposal__customer",
        )
        .prefetch_related("run__proposal__evidence", "run__decisions")
        .get(pk=alert_id)
    )


def may_decide(alert: Alert) -> bool:
    """Say whether this chat's member can still decide on this run."""
    link, run = alert.link, alert.run
    if link is None or run is None or not link.is_live or link.member is None:
        return False
    decided = any(d.member_id == link.member_id for d in run.decisions.all())
    return (
        run.state == Run.State.AWAITING_OWNER
        and link.member.may_decide
        and link.member.user.is_active
        and not decided
    )


def _approval(alert: Alert, link: TelegramLink) -> Shown:
    run = alert.subject
    if link.member is None or not link.is_live:
        return Shown(_gone(run), seq=run.seq, closes=True)
    closes = run.is_final or not link.member.may_decide
    open_ = may_decide(alert)
    told = [] if open_ and not run.approvals else _told(run, link)
    body = [words.headline(run, number=alert.number) if open_ else _site(run)]
    tail = [words.deadline(run, link.time_zone) if open_ else "", *told]
    whole = _paragraphs(*body, words.request(run), *tail, words.where(run))
    if units(whole) <= MAXIMUM:
        return Shown(whole, buttons=open_, seq=run.seq, closes=closes)
    short = _paragraphs(*body, words.too_long(run), *tail, words.where(run))
    return Shown(short, seq=run.seq, closes=closes)


def _told(run: Run, link: TelegramLink) -> list[str]:
    return [*words.decisions(run, link.time_zone), words.outcome(run)]


def _paragraphs(*parts: str) -> str:
    return "\n\n".join(part for part in parts if part)


def _site(run: Run) -> str:
    return visible(run.site.name)


def _gone(run: Run) -> str:
    """A chat that is no longer linked keeps no customer's data."""
    return _("%(site)s: este chat ya no está vinculado. Decide en la web.") % {
        "site": _site(run)
    }


def _welcome(link: TelegramLink) -> str:
    return _(
        "Listo: aquí recibirás lo que espere tu decisión en %(site)s. Para dejarlo, "
        "escribe /desvincular."
    ) % {"site": visible(link.site.name)}


def uncertain(alert: Alert) -> str:
    """Tell of a run that ended without anybody knowing what happened."""
    run = alert.subject
    return _paragraphs(
        _("%(site)s: no pudimos confirmar el resultado de «%(action)s» (%(target)s)")
        % {
            "site": _site(run),
            "action": visible(run.action.title),
            "target": visible(run.target) or "—",
        },
        _(
            "Esto no demuestra que tu sistema no haya hecho ningún cambio. "
            "Investígalo con la clave %(run)s antes de iniciar otra ejecución."
        )
        % {"run": run.pk},
        words.history(run),
    )


def outage(alert: Alert) -> str:
    """Tell of a connection that is switched off, or of Telegram itself."""
    row = alert.cut
    site = visible(row.site.name)
    if row.connection is None:
        return _(
            "%(site)s: Telegram ya no acepta a nuestro bot. Las solicitudes que "
            "esperen tu decisión te llegarán por correo."
        ) % {"site": site}
    return _(
        "%(site)s: la conexión «%(name)s» está desactivada. Lo que se apruebe "
        "mientras tanto terminará como fallido, sin enviar nada."
    ) % {"site": site, "name": visible(row.connection.name)}
