"""Plans alerts for runs that ended without anybody knowing what happened."""

from django.db import connection
from django.utils import timezone

from acciones.models import Notice
from canales.models import Alert, Delivery, TelegramLink

from . import quiet

# Notices older than a day were told by mail long ago
UNTOLD = """
SELECT link.id, notice.run_id
FROM acciones_notice notice
JOIN acciones_run run ON run.id = notice.run_id
JOIN canales_telegramlink link
    ON link.site_id = run.site_id AND link.ended_at IS NULL
    AND link.created <= notice.created
JOIN acciones_member member ON member.id = link.member_id AND member.role = 'owner'
WHERE notice.kind = %(kind)s
  AND notice.created > clock_timestamp() - interval '1 day'
  AND NOT EXISTS (
      SELECT 1 FROM canales_alert alert
      WHERE alert.link_id = link.id AND alert.run_id = notice.run_id
        AND alert.kind = 'uncertain')
ORDER BY notice.created LIMIT 100
"""


def plan() -> None:
    """Tell each owner's chat of each notice that it has not heard of."""
    with connection.cursor() as cursor:
        cursor.execute(UNTOLD, {"kind": Notice.Kind.UNCERTAIN})
        rows = cursor.fetchall()
    links = TelegramLink.objects.in_bulk([link_id for link_id, _ in rows])
    for link_id, run_id in rows:
        link = links[link_id]
        alert = Alert.objects.create(
            member_id=link.member_id,
            link=link,
            run_id=run_id,
            kind=Alert.Kind.UNCERTAIN,
        )
        Delivery.objects.create(
            alert=alert,
            lane=alert.lane,
            purpose=Delivery.Purpose.SEND,
            due_at=quiet.not_before(link, timezone.now()),
        )
