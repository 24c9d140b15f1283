"""Plans alerts for requests that wait, and reminders of those that still do."""

from typing import NamedTuple
from uuid import UUID

from django.conf import settings
from django.db import connection
from django.utils import timezone

from acciones.models import Run
from canales.models import Alert, Delivery, TelegramLink

from . import quiet

# Nobody reads more than this in a chat; the rest waits in the inbox for its turn
OPEN_IN_A_CHAT = 30
# After a send that may not have arrived, the first reminder comes this soon
DOUBT_SECONDS = 300

# Per chat, as many of the longest waiting runs as it has room for, each with the
# number of the alert that is due by now. A chat whose last alert has not left yet,
# or whose member has decided, gets none. The index on who waits gives the order, so
# ten thousand waiting runs cost no more than thirty.
DUE = """
WITH chats AS (
    SELECT link.id, link.site_id, link.member_id, member.customer_id,
           (SELECT count(*) FROM canales_alert open
            JOIN acciones_run asked ON asked.id = open.run_id
            WHERE open.link_id = link.id AND open.kind = 'approval'
              AND open.closed_at IS NULL
              AND asked.state = 'awaiting_owner') AS open
    FROM canales_telegramlink link
    JOIN acciones_member member ON member.id = link.member_id
    WHERE link.ended_at IS NULL AND member.role IN ('owner', 'approver')
)
SELECT chats.id, due.run_id, due.number
FROM chats CROSS JOIN LATERAL (
    SELECT run.id AS run_id, run.confirmed_at,
           CASE WHEN last.number IS NULL OR passed.reminders > last.number
                THEN passed.reminders ELSE last.number + 1 END AS number
    FROM acciones_run run
    JOIN acciones_proposal proposal ON proposal.run_id = run.id
    LEFT JOIN acciones_customer customer ON customer.id = proposal.customer_id
    CROSS JOIN LATERAL (
        SELECT count(*) AS reminders FROM unnest(%(after)s::float[]) seconds
        WHERE run.confirmed_at + make_interval(secs => seconds) <= clock_timestamp()
    ) passed
    LEFT JOIN LATERAL (
        SELECT alert.number, delivery.state IN ('waiting', 'sending') AS pending,
               delivery.state = 'unknown' AND delivery.finished_at
                   <= clock_timestamp() - make_interval(secs => %(doubt)s) AS doubtful
        FROM canales_alert alert
        JOIN canales_delivery delivery
            ON delivery.alert_id = alert.id AND delivery.purpose = 'send'
        WHERE alert.link_id = chats.id AND alert.run_id = run.id
            AND alert.kind = 'approval'
        ORDER BY alert.number DESC LIMIT 1
    ) last ON true
    WHERE run.site_id = chats.site_id AND run.state = 'awaiting_owner'
      AND run.expires_at > clock_timestamp()
      AND last.pending IS NOT TRUE
      AND (last.number IS NULL OR passed.reminders > last.number
           OR (last.doubtful AND last.number < %(reminders)s))
      AND (chats.customer_id = ''
           OR customer.external_id IS DISTINCT FROM chats.customer_id)
      AND NOT EXISTS (
          SELECT 1 FROM acciones_decision decision
          WHERE decision.run_id = run.id AND decision.member_id = chats.member_id)
    ORDER BY run.confirmed_at LIMIT greatest(%(most)s - chats.open, 0)
) due
"""


class Due(NamedTuple):
    """An alert to make."""

    link_id: int
    run_id: UUID
    number: int


def plan() -> None:
    """Make the alerts that are due, each chat's longest waiting run first."""
    due = _due()
    links = TelegramLink.objects.in_bulk([row.link_id for row in due])
    runs = Run.objects.in_bulk([row.run_id for row in due])
    for row in due:
        _make(links[row.link_id], runs[row.run_id], row.number)


def _due() -> list[Due]:
    reminders = list(settings.MAYA_REMINDER_SECONDS)
    with connection.cursor() as cursor:
        cursor.execute(
            DUE,
            {
                "after": reminders,
                "reminders": len(reminders),
                "doubt": DOUBT_SECONDS,
                "most": OPEN_IN_A_CHAT,
            },
        )
        return [Due(*row) for row in cursor.fetchall()]


def _make(link: TelegramLink, run: Run, number: int) -> None:
    alert = Alert.objects.create(
        member_id=link.member_id,
        link=link,
        run=run,
        kind=Alert.Kind.APPROVAL,
        number=number,
        digest=run.digest,
    )
    Delivery.objects.create(
        alert=alert,
        lane=alert.lane,
        purpose=Delivery.Purpose.SEND,
        due_at=quiet.not_before(link, timezone.now(), expires_at=run.expires_at),
    )
