"""Receive: one update from Telegram, by webhook or by polling, handled once."""

import logging
from typing import Any

from django.db import connection
from django.db.models.functions import Now
from telegram.error import TelegramError

from acciones import audit
from maya.lib import wake

from .alerts import edits
from .linking.hear import hear
from .models import Alert, TelegramBot, TelegramUpdate
from .outbox.deliver import deliver
from .press import press
from .telegram import bot, client, wire

CLAIM_SECONDS = 60
# What fails this often fails always, and everything behind it waits
MOST_TRIES = 5

CLAIM = """
INSERT INTO canales_telegramupdate
    (bot_id, update_id, verdict, tries, received, claimed_until)
VALUES (%(bot)s, %(update)s, '', 1, clock_timestamp(),
        clock_timestamp() + make_interval(secs => %(seconds)s))
ON CONFLICT (bot_id, update_id) DO UPDATE
SET tries = canales_telegramupdate.tries + 1,
    claimed_until = clock_timestamp() + make_interval(secs => %(seconds)s)
WHERE canales_telegramupdate.handled_at IS NULL
  AND canales_telegramupdate.claimed_until < clock_timestamp()
  AND canales_telegramupdate.tries < %(most)s
RETURNING id
"""

logger = logging.getLogger(__name__)


def receive(row: TelegramBot, update: object) -> bool:
    """Handle one update; False asks for it again later (another worker has it).

    An exception leaves it unhandled, to be delivered again.
    """
    number = wire.update_id(update)
    if number is None:
        return True
    claimed = _claim(row, number)
    if claimed is None:
        return not _is_open(row, number)
    ours = TelegramUpdate.objects.filter(pk=claimed)
    try:
        verdict, from_id = _handle(wire.read(update))
    except Exception:
        ours.update(claimed_until=Now())
        raise
    ours.update(handled_at=Now(), verdict=verdict, from_id=from_id)
    return True


def _claim(row: TelegramBot, number: int) -> int | None:
    values = {
        "bot": row.pk,
        "update": number,
        "seconds": CLAIM_SECONDS,
        "most": MOST_TRIES,
    }
    with connection.cursor() as cursor:
        cursor.execute(CLAIM, values)
        found = cursor.fetchone()
    return int(found[0]) if found else None


def _is_open(row: TelegramBot, number: int) -> bool:
    return TelegramUpdate.objects.filter(
        bot=row, update_id=number, handled_at=None, tries__lt=MOST_TRIES
    ).exists()


def _handle(event: wire.Said | wire.Press | None) -> tuple[str, int | None]:
    """Act on what a person did; returns a word for it and their id."""
    if event is None:
        return "ignored", None
    with audit.coming_from(f"telegram:{event.person.id}"):
        if isinstance(event, wire.Press):
            _pressed(event)
            return "pressed", event.person.id
        heard = hear(event)
    if heard is None:
        return "ignored", event.person.id
    _call("send_message", chat_id=event.chat_id, text=heard.reply)
    return heard.verdict, event.person.id


def _pressed(tap: wire.Press) -> None:
    """Decide, then answer, then edit: what was committed stays, whatever follows."""
    text, alert = press(tap)
    _call("answer_callback_query", callback_query_id=tap.query_id, text=text)
    if alert is not None:
        _bring_up_to_date(alert)
    wake.task("canales.sweep")


def _bring_up_to_date(alert: Alert) -> None:
    edits.plan_one(alert.pk)
    deliver(alert.lane)


def _call(method: str, **parameters: Any) -> None:
    """Call once; what fails here (a late answer, say) undoes nothing."""
    try:
        client.call(method, **parameters)
    except TelegramError as error:
        verdict = client.verdict_of(error)
        logger.info("telegram: %s: %s", method, verdict.detail)
        if verdict.name == "disabled":
            bot.disable(verdict.detail)
