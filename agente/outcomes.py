"""Tells how changes ended. The sentence is made from the run, never by a model."""

from decimal import Decimal
from uuid import UUID

from django.db import connection, transaction
from django.utils import formats
from django.utils.translation import gettext as _
from django.utils.translation import override

from acciones.models import Conversation, Run
from maya.lib.each import each
from maya.lib.shown import visible

from . import queue
from .models import Outcome, Turn
from .say import as_application

AT_ONCE = 100
SILENT = (Run.State.CANCELLED,)
POINT_CURRENCIES = {"MXN", "USD"}
"""Currencies whose people write 1,234.50, whatever the language of the rest."""


# An offer that the ledger made anew (the world had changed) has nobody else to say
# that its end is to be told. Open offers are few and have a partial index.
ADOPT = """
INSERT INTO agente_outcome (run_id)
SELECT id FROM acciones_run
WHERE state = 'requested' AND expires_at > clock_timestamp()
  AND NOT EXISTS (SELECT FROM agente_outcome WHERE run_id = acciones_run.id)
ON CONFLICT DO NOTHING
"""


def adopt_offers() -> None:
    """Note the open offers whose end the conversation must hear."""
    with connection.cursor() as cursor:
        cursor.execute(ADOPT)


def tell_outcomes() -> int:
    """Tell every ended change that its conversation has not heard of; count them."""
    waiting = Outcome.objects.filter(told=None, run__state__in=Run.FINAL)
    ids = list(waiting.values_list("run_id", flat=True)[:AT_ONCE])
    return sum(each(tell, ids))


def tell(run_id: UUID) -> bool:
    """Say a run's outcome in its conversation, once; say whether it was said."""
    with transaction.atomic():
        outcome = (
            Outcome.objects.select_for_update(skip_locked=True, of=("self",))
            .select_related("run__action", "run__proposal", "run__site")
            .filter(run_id=run_id, told=None)
            .first()
        )
        if outcome is None:
            return False
        text = sentence(outcome.run)
        if text:
            outcome.turn = _say(outcome.run, text)
        outcome.told = outcome.run.finished_at
        outcome.save(update_fields=["turn", "told"])
        return bool(text)


def _say(run: Run, text: str) -> Turn:
    conversation = Conversation.objects.select_for_update().get(pk=run.conversation_id)
    turn = queue.create_turn(conversation, Turn.Kind.OUTCOME, {"run_id": str(run.pk)})
    as_application(turn, text)
    queue.finish(turn)
    return turn


def sentence(run: Run) -> str:
    """Return what to say of an ended run, or nothing where the card says it all."""
    with override(run.site.language):
        if run.state in SILENT or (
            run.state == Run.State.EXPIRED and run.confirmed_at is None
        ):
            return ""
        return " ".join(part for part in (_fact(run), *_said(run)) if part)


def _fact(run: Run) -> str:
    what, site = _what(run), visible(run.site.name)
    match run.state:
        case Run.State.DONE:
            return _("Hecho: {what}.").format(what=what)
        case Run.State.REJECTED:
            return _(
                "{site} no aprobó esta solicitud: {what}. No se ha enviado nada."
            ).format(what=what, site=site)
        case Run.State.EXPIRED:
            return _(
                "Se acabó el plazo sin que {site} decidiera: {what}. No se ha enviado "
                "nada."
            ).format(what=what, site=site)
    if run.certain is False:
        return _(
            "No pudimos confirmar qué pasó con esto: {what}. Puede que se haya hecho y "
            "puede que no; {site} ya está avisado. No lo repitas hasta saberlo."
        ).format(what=what, site=site)
    if run.reason == "stale":
        return _(
            "No se hizo, porque algo cambió desde que lo preparamos: {what}. Si "
            "todavía se puede, tienes una propuesta nueva con los datos de ahora."
        ).format(what=what)
    return _("No se pudo hacer: {what}.").format(what=what)


def _what(run: Run) -> str:
    """Return the change in a few words: title, record and amount."""
    details = []
    if run.proposal.target_ref:
        details.append(visible(run.proposal.target_ref))
    if amount := run.proposal.amount:
        details.append(_money(**amount))
    title = run.action.title
    return f"{title} ({', '.join(details)})" if details else title


def _money(*, minor: int, currency: str, exponent: int) -> str:
    number = Decimal(minor).scaleb(-exponent)
    if currency in POINT_CURRENCIES:
        return f"{number:,.{exponent}f} {currency}"
    shown = formats.number_format(number, decimal_pos=exponent, force_grouping=True)
    return f"{shown} {currency}"


def _said(run: Run) -> list[str]:
    """Return what the owner's system added; its words, marked as such."""
    if run.state not in (Run.State.DONE, Run.State.FAILED):
        return []
    told = []
    if run.message:
        said = visible(run.message)
        told.append(f"{visible(run.site.name)}: “{said}”")
    if run.reference:
        told.append(_("Referencia: {text}.").format(text=visible(run.reference)))
    return told
