"""Plans the edits of messages that tell less than the log of their run."""

from django.db import connection

# Also when the chat or its member lost the say: then the buttons go
BEHIND = """
INSERT INTO canales_delivery
    (alert_id, lane, purpose, state, due_at, attempts, created)
SELECT alert.id, 'telegram:' || link.id, 'edit', 'waiting', clock_timestamp(), 0,
       clock_timestamp()
FROM canales_alert alert
JOIN canales_telegramlink link ON link.id = alert.link_id
JOIN acciones_run run ON run.id = alert.run_id
LEFT JOIN acciones_member member ON member.id = link.member_id
WHERE alert.kind = 'approval' AND alert.closed_at IS NULL
  AND alert.message_id IS NOT NULL
  AND (run.seq > alert.seq OR link.ended_at IS NOT NULL OR member.id IS NULL
       OR member.role NOT IN ('owner', 'approver'))
  AND NOT EXISTS (
      SELECT 1 FROM canales_delivery other
      WHERE other.alert_id = alert.id AND other.state IN ('waiting', 'sending'))
ON CONFLICT DO NOTHING
"""

# A message that may never have arrived has nothing to edit once all is over
UNSEEN = """
UPDATE canales_alert alert SET closed_at = clock_timestamp()
FROM acciones_run run
WHERE run.id = alert.run_id AND run.finished_at IS NOT NULL
  AND alert.kind = 'approval' AND alert.closed_at IS NULL
  AND alert.message_id IS NULL
  AND NOT EXISTS (
      SELECT 1 FROM canales_delivery delivery
      WHERE delivery.alert_id = alert.id
        AND delivery.state IN ('waiting', 'sending'))
"""


ONE = """
INSERT INTO canales_delivery
    (alert_id, lane, purpose, state, due_at, attempts, created)
SELECT id, 'telegram:' || link_id, 'edit', 'waiting', clock_timestamp(), 0,
       clock_timestamp()
FROM canales_alert WHERE id = %(alert)s AND message_id IS NOT NULL
ON CONFLICT DO NOTHING
"""


def plan_one(alert_id: int) -> None:
    """Store an edit of one message, whatever it shows: somebody just pressed it."""
    with connection.cursor() as cursor:
        cursor.execute(ONE, {"alert": alert_id})


def plan() -> None:
    """Store an edit for each message that fell behind."""
    with connection.cursor() as cursor:
        cursor.execute(UNSEEN)
        cursor.execute(BEHIND)
