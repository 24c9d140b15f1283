"""Poll: fetch updates where no public address can be called."""

import logging

from django.db import DatabaseError

from .models import TelegramBot
from .receive import receive
from .telegram import client, wire

logger = logging.getLogger(__name__)


def poll(row: TelegramBot, *, seconds: int = client.POLL_SECONDS) -> int:
    """Fetch and handle what came since the last time; returns how many updates.

    The offset is stored after each update, so a process that dies in the middle
    fetches the unhandled ones again. One that cannot be handled is passed over: the
    others behind it are taps of people who wait. Raises ``TelegramError`` and
    ``DatabaseError``.
    """
    row.refresh_from_db()
    updates = client.updates(row.offset, wire.ALLOWED, seconds=seconds)
    for update in updates:
        try:
            receive(row, update.to_dict())
        except DatabaseError:
            # Nothing wrong with the update: it is fetched again
            raise
        except Exception:
            logger.exception("telegram: update %s failed", update.update_id)
        TelegramBot.objects.filter(pk=row.pk).update(offset=update.update_id + 1)
    return len(updates)
