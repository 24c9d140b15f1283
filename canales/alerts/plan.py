"""Plan: turn what the ledger's rows say into alerts and deliveries that are due.

The ledger never calls up here. Each alert keeps the ``seq`` of its run's log that it
tells already, so what was not told yet is a comparison of two rows; a plan that is
made twice, or late, makes nothing twice and misses nothing.
"""

from django.db import connection, transaction

from canales.linking.unlink import end_removed
from canales.telegram import bot

from . import approvals, edits, mails, outages, uncertain

# One planner at a time: 'canales' as a number, so that no other lock is meant
LOCK = 0x63616E616C6573


def plan() -> bool:
    """Store what is to be sent; say whether nobody else was at it."""
    end_removed()
    has_bot = bot.usable() is not None
    with transaction.atomic():
        if not _alone():
            return False
        outages.keep(has_bot=has_bot)
        if has_bot:
            approvals.plan()
            uncertain.plan()
        outages.plan(has_bot=has_bot)
        mails.plan(has_bot=has_bot)
        edits.plan()
    return True


def _alone() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [LOCK])
        row = cursor.fetchone()
    return bool(row and row[0])
