"""Press: a tap on one of our buttons, judged by what our rows say and nothing else."""

import logging
from typing import Any

from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import override

from acciones import audit
from acciones.errors import MayaError, NotFound
from acciones.models import Member, Run
from acciones.steps.approve import approve
from acciones.steps.reject import reject

from .alerts import words
from .models import Alert
from .models.link import known_language
from .telegram.wire import PRIVATE, Press

SURFACE = "telegram"
# https://core.telegram.org/bots/api#answercallbackquery
ANSWER_LENGTH = 200

logger = logging.getLogger(__name__)


def press(tap: Press) -> tuple[str, Alert | None]:
    """Decide on what the button stands for, if this tap may.

    Returns what to answer, and the alert whose message must be brought up to date.
    ``callback_data`` is an opaque key: run, digest, chat and who may press are looked
    up here, membership and permission are read anew by the step.
    """
    alert = _alert_of(tap.data)
    if alert is None:
        _refuse(tap, "unknown_button", None)
        with override(known_language(tap.person.language)):
            return _("Este botón ya no vale."), None
    with override(alert.chat.language):
        return _judge(tap, alert)


def _alert_of(key: str) -> Alert | None:
    if not key or "\x00" in key:
        return None
    return (
        Alert.objects.select_related("link__member__user", "link__site", "run__site")
        .filter(Q(approve_key=key) | Q(reject_key=key), run__isnull=False)
        .first()
    )


def _judge(tap: Press, alert: Alert) -> tuple[str, Alert | None]:
    why = _stranger(tap, alert)
    if why:
        # Whoever this is learns nothing about the request
        _refuse(tap, why, alert)
        return _("No puedes decidir sobre esto."), None
    if not _is_its_message(tap, alert):
        _refuse(tap, "other_message", alert)
        return _("Este botón ya no vale."), None
    member = alert.chat.member
    if not alert.chat.is_live or member is None:
        _refuse(tap, "unlinked", alert)
        return _("Este chat ya no está vinculado. Decide en la web."), alert
    return _decide(tap, alert, member)


def _stranger(tap: Press, alert: Alert) -> str:
    """Return why this is not the linked person in the linked private chat."""
    link = alert.chat
    if tap.chat_type != PRIVATE or tap.chat_id != link.chat_id:
        return "other_chat"
    if tap.person.id != link.user_id:
        return "other_person"
    return ""


def _is_its_message(tap: Press, alert: Alert) -> bool:
    """Demand the message that carries this button.

    When the send's outcome was lost, the key itself tells: it left us in one message
    only, and this is it.
    """
    Alert.objects.filter(pk=alert.pk, message_id=None).update(message_id=tap.message_id)
    alert.refresh_from_db(fields=["message_id"])
    return alert.message_id == tap.message_id


def _decide(tap: Press, alert: Alert, member: Member) -> tuple[str, Alert]:
    verb: Any = approve if tap.data == alert.approve_key else reject
    try:
        if not member.user.is_active:
            raise NotFound
        run = verb(
            alert.subject.pk, member=member, surface=SURFACE, digest=alert.digest
        )
    except MayaError as error:
        if error.status in {403, 404}:
            _refuse(tap, error.code, alert)
        return _short(_refusal(error, alert)), alert
    return _short(_decided(run, tap.data == alert.approve_key)), alert


def _decided(run: Run, approved: bool) -> str:
    said = _("Aprobada.") if approved else _("Rechazada: no se envió nada.")
    if run.state == Run.State.AWAITING_OWNER:
        return f"{said} {words.outcome(run)}"
    return said


def _refusal(error: MayaError, alert: Alert) -> str:
    """Say what really happened: who was faster, or that time is over."""
    run = (Run.objects.select_related("proposal").prefetch_related("decisions")).get(
        pk=alert.subject.pk
    )
    if error.status != 409 or run.state == Run.State.AWAITING_OWNER:
        return _(error.detail)
    said = words.decisions(run, alert.chat.time_zone)
    return " ".join([*said[-1:], words.outcome(run)])


def _short(text: str) -> str:
    """An answer takes 200 characters; the message tells the rest."""
    return text if len(text) <= ANSWER_LENGTH else f"{text[: ANSWER_LENGTH - 1]}…"


def _refuse(tap: Press, why: str, alert: Alert | None) -> None:
    """Leave a trace of a tap that was not allowed."""
    logger.warning("telegram: press refused: %s", why)
    run = alert.run if alert is not None else None
    audit.record(
        audit.Kind.ACCESS,
        "telegram.refused",
        surface=SURFACE,
        site=run.site if run is not None else None,
        who=f"telegram:{tap.person.id}",
        subject="run" if run is not None else "",
        subject_id=run.pk if run is not None else "",
        after={"why": why, "chat": tap.chat_id, "chat_type": tap.chat_type[:16]},
    )
