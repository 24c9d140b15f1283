"""Keeps when connections (and the bot) were off, and plans telling their owners."""

from django.db import connection
from django.db.models.functions import Now
from django.utils import timezone

from acciones.models import Member
from canales.models import Alert, Delivery, Outage, TelegramLink

from . import quiet

BEGIN = """
INSERT INTO canales_outage (site_id, connection_id, since)
SELECT site_id, id, clock_timestamp() FROM acciones_connection WHERE NOT enabled
ON CONFLICT DO NOTHING
"""
END = """
UPDATE canales_outage outage SET ended_at = clock_timestamp()
FROM acciones_connection con
WHERE con.id = outage.connection_id AND con.enabled AND outage.ended_at IS NULL
"""
# Without links nobody misses the bot
BEGIN_BOT = """
INSERT INTO canales_outage (site_id, connection_id, since)
SELECT DISTINCT site_id, NULL::bigint, clock_timestamp()
FROM canales_telegramlink WHERE ended_at IS NULL
ON CONFLICT DO NOTHING
"""


def keep(*, has_bot: bool) -> None:
    """Open an outage for what went off, and end those of what is back."""
    with connection.cursor() as cursor:
        cursor.execute(BEGIN)
        cursor.execute(END)
        if not has_bot:
            cursor.execute(BEGIN_BOT)
    if has_bot:
        Outage.objects.filter(connection=None, ended_at=None).update(ended_at=Now())


def plan(*, has_bot: bool) -> None:
    """Tell each owner once of each outage: in the linked chat, else by mail."""
    for outage in Outage.objects.filter(ended_at=None):
        owners = Member.objects.filter(
            site=outage.site_id, role=Member.Role.OWNER, user__is_active=True
        ).exclude(pk__in=_told(outage))
        for member in owners:
            _tell(member, outage, has_bot=has_bot)


def _told(outage: Outage) -> list[int]:
    told = Alert.objects.filter(outage=outage, member__isnull=False)
    return [pk for pk in told.values_list("member_id", flat=True) if pk is not None]


def _tell(member: Member, outage: Outage, *, has_bot: bool) -> None:
    link = None
    if has_bot and outage.connection_id is not None:
        link = TelegramLink.objects.filter(member=member, ended_at=None).first()
    alert = Alert.objects.create(
        member=member, link=link, outage=outage, kind=Alert.Kind.OUTAGE
    )
    now = timezone.now()
    Delivery.objects.create(
        alert=alert,
        lane=alert.lane,
        purpose=Delivery.Purpose.SEND,
        due_at=quiet.not_before(link, now) if link else now,
    )
