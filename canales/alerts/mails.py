"""Plans mail for members who may decide and have no chat that works."""

from django.contrib.auth import get_user_model
from django.db import connection
from django.utils import timezone
from psycopg import sql

from canales.models import Alert, Delivery

# One mail tells of all that waits; more than one in this time would be noise
EVERY_SECONDS = 900

# News since the last mail: for whoever has no chat that works, a request confirmed
# after it; for whoever has one, a waiting request that could not be sent there.
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
  AND CASE WHEN link.id IS NULL OR NOT %(has_bot)s THEN EXISTS (
      SELECT 1 FROM acciones_run run
      WHERE run.site_id = member.site_id AND run.state = 'awaiting_owner'
        AND run.expires_at > clock_timestamp()
        AND (mailed.at IS NULL OR run.confirmed_at > mailed.at))
  ELSE EXISTS (
      SELECT 1 FROM canales_delivery delivery
      JOIN canales_alert alert ON alert.id = delivery.alert_id
      JOIN acciones_run run ON run.id = alert.run_id
      WHERE delivery.state = 'failed' AND delivery.purpose = 'send'
        AND delivery.finished_at > clock_timestamp() - interval '1 day'
        AND alert.link_id = link.id AND run.state = 'awaiting_owner'
        AND run.expires_at > clock_timestamp()
        AND (mailed.at IS NULL OR run.confirmed_at > mailed.at)) END
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
