"""Sends and edits alerts in linked chats; what they say is composed at that moment."""

from typing import Any

from django.db.models.functions import Now
from django.utils.translation import gettext as _
from django.utils.translation import override
from telegram import InlineKeyboardButton, InlineKeyboardMarkup, LinkPreviewOptions
from telegram.error import TelegramError

from acciones.models import Run
from canales.alerts.compose import Shown, compose, loaded, may_decide
from canales.models import Alert, Delivery
from canales.telegram import client

from .outcome import Outcome


def send(alert_id: int, purpose: str) -> Outcome:
    """Send or edit one alert's message."""
    alert = loaded(alert_id)
    if purpose == Delivery.Purpose.EDIT:
        return _edit(alert)
    if not _is_wanted(alert):
        return Outcome("dropped")
    return _send(alert)


def _is_wanted(alert: Alert) -> bool:
    """Judge anew what may have waited long: a late alert helps nobody."""
    link, run = alert.link, alert.run
    if link is None or not link.is_live:
        return False
    if alert.kind == Alert.Kind.APPROVAL:
        return may_decide(alert) and run is not None and not _is_expired(run)
    if alert.kind == Alert.Kind.OUTAGE:
        return alert.outage is not None and alert.outage.ended_at is None
    return True


def _is_expired(run: Run) -> bool:
    """By the database's clock, as everywhere."""
    return Run.objects.filter(pk=run.pk, expires_at__lte=Now()).exists()


def _send(alert: Alert) -> Outcome:
    shown = compose(alert)
    if shown.buttons:
        alert.arm()
    try:
        message = client.call(
            "send_message",
            chat_id=alert.chat.chat_id,
            # A request's data shall not be passed on from the chat
            protect_content=alert.run_id is not None,
            **_content(alert, shown),
        )
    except TelegramError as error:
        verdict = client.verdict_of(error)
        return Outcome(verdict.name, verdict.detail, verdict.after)
    return Outcome("sent", message_id=message.message_id, shown=shown)


def _edit(alert: Alert) -> Outcome:
    shown = compose(alert)
    if shown.hash == alert.shown:
        return Outcome("sent", "unchanged", shown=shown)
    try:
        client.call(
            "edit_message_text",
            chat_id=alert.chat.chat_id,
            message_id=alert.message_id,
            **_content(alert, shown),
        )
    except TelegramError as error:
        if client.is_unchanged(error):
            return Outcome("sent", "unchanged", shown=shown)
        verdict = client.verdict_of(error)
        # Saying the same twice does no harm, so an edit may be repeated
        name = "retry" if verdict.name == "unknown" else verdict.name
        return Outcome(name, verdict.detail, verdict.after)
    return Outcome("sent", shown=shown)


def _content(alert: Alert, shown: Shown) -> dict[str, Any]:
    """Plain text (no ``parse_mode``: a customer's words are never markup)."""
    return {
        "text": shown.text,
        "reply_markup": _buttons(alert) if shown.buttons else None,
        "link_preview_options": LinkPreviewOptions(is_disabled=True),
    }


def _buttons(alert: Alert) -> InlineKeyboardMarkup | None:
    if alert.approve_key is None or alert.reject_key is None:
        return None
    with override(alert.chat.language):
        approve = InlineKeyboardButton(_("Aprobar"), callback_data=alert.approve_key)
        reject = InlineKeyboardButton(_("Rechazar"), callback_data=alert.reject_key)
    return InlineKeyboardMarkup([[approve, reject]])
