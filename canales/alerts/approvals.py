"""Plans alerts for requests that wait, and reminders of those that still do."""

from collections import Counter
from typing import NamedTuple
from uuid import UUID

from django.conf import settings
from django.db import connection
from django.utils import timezone

from acciones.models import Run
from canales.models import Alert, Delivery, TelegramLink

from . import quiet

BATCH = 100
# Nobody reads more than this in a chat; the rest waits in the inbox for its turn
OPEN_IN_A_CHAT = 30
# After a send that may not have arrived, the first reminder comes this soon
DOUBT_SECONDS = 300

# Per chat and waiting run: the number of the alert that is due by now. A chat whose
# last alert has not left yet, or whose member has decided, gets none.
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
), due AS (
    SELECT chats.id AS link_id, run.id AS run_id, chats.open, run.confirmed_at,
           last.number AS last_number,
           (SELECT count(*) FROM unnest(%(after)s::float[]) seconds
            WHERE run.confirmed_at + make_interval(secs => seconds)
                  <= clock_timestamp()) AS elapsed,
           last.doubtful
    FROM chats
    JOIN acciones_run run ON run.site_id = chats.site_id
        AND run.state = 'awaiting_owner' AND run.expires_at > clock_timestamp()
    JOIN acciones_proposal proposal ON proposal.run_id = run.id
    LEFT JOIN acciones_customer customer ON customer.id = proposal.customer_id
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
    WHERE chats.open < %(most)s
      AND last.pending IS NOT TRUE
      AND (chats.customer_id = ''
           OR customer.external_id IS DISTINCT FROM chats.customer_id)
      AND NOT EXISTS (
          SELECT 1 FROM acciones_decision decision
          WHERE decision.run_id = run.id AND decision.member_id = chats.member_id)
)
SELECT link_id, run_id, open,
       CASE WHEN last_number IS NULL THEN elapsed
            WHEN elapsed > last_number THEN elapsed
            ELSE last_number + 1 END AS number
FROM due
WHERE last_number IS NULL
   OR elapsed > last_number
   OR (doubtful AND last_number < %(reminders)s)
ORDER BY confirmed_at, link_id LIMIT %(batch)s
"""


class Due(NamedTuple):
    """An alert to make."""

    link_id: int
    run_id: UUID
    open: int
    number: int


def plan() -> None:
    """Make the alerts that are due, the longest waiting run first."""
    due = _due()
    links = TelegramLink.objects.in_bulk([row.link_id for row in due])
    runs = Run.objects.in_bulk([row.run_id for row in due])
    made: Counter[int] = Counter()
    for row in due:
        if row.open + made[row.link_id] < OPEN_IN_A_CHAT:
            made[row.link_id] += 1
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
                "batch": BATCH,
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
