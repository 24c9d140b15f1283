"""Plans mail for members who may decide and have no chat that works."""

from django.contrib.auth import get_user_model
from django.db import connection
from django.utils import timezone
from psycopg import sql

from canales.models import Alert, Delivery

# One mail tells of all that waits; more than one in this time would be noise
EVERY_SECONDS = 900

# News since the last mail: a request confirmed after it. A chat does not count when
# the bot is off, nor for a request that could not be sent there.
DUE = """
SELECT member.id
FROM acciones_member member
JOIN {users} account ON account.id = member.user_id
    AND account.is_active AND account.email <> ''
LEFT JOIN canales_telegramlink link
    ON link.member_id = member.id AND link.ended_at IS NULL
LEFT JOIN LATERAL (
    SELECT max(created) AS at FROM canales_alert
    WHERE member_id = member.id AND link_id IS NULL AND kind = 'approval'
) mailed ON true
WHERE member.role IN ('owner', 'approver')
  AND (mailed.at IS NULL
       OR mailed.at < clock_timestamp() - make_interval(secs => %(every)s))
  AND EXISTS (
      SELECT 1 FROM acciones_run run
      WHERE run.site_id = member.site_id AND run.state = 'awaiting_owner'
        AND run.expires_at > clock_timestamp()
        AND (mailed.at IS NULL OR run.confirmed_at > mailed.at)
        AND (link.id IS NULL OR NOT %(has_bot)s OR EXISTS (
            SELECT 1 FROM canales_alert alert JOIN canales_delivery delivery
                ON delivery.alert_id = alert.id AND delivery.purpose = 'send'
            WHERE alert.link_id = link.id AND alert.run_id = run.id
              AND delivery.state = 'failed')))
ORDER BY member.id LIMIT 100
"""


def plan(*, has_bot: bool) -> None:
    """Make one mail for each member who has something new to hear of."""
    with connection.cursor() as cursor:
        users = sql.Identifier(get_user_model()._meta.db_table).as_string(None)
        statement = DUE.format(users=users)
        cursor.execute(statement, {"every": EVERY_SECONDS, "has_bot": has_bot})
        members = [row[0] for row in cursor.fetchall()]
    for member_id in members:
        alert = Alert.objects.create(member_id=member_id, kind=Alert.Kind.APPROVAL)
        Delivery.objects.create(
            alert=alert,
            lane=alert.lane,
            purpose=Delivery.Purpose.SEND,
            due_at=timezone.now(),
        )
