"""Quiet hours: when a message that can wait may be sent."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from canales.models import TelegramLink

# A request that would run out this soon after the quiet hours does not wait for them
MARGIN = timedelta(hours=1)


def not_before(
    link: TelegramLink, now: datetime, *, expires_at: datetime | None = None
) -> datetime:
    """Return ``now``, or the end of the quiet hours that ``now`` lies in.

    ``expires_at`` is when the message would be of no use any more: what cannot wait
    until then is sent at once.
    """
    end = end_of_quiet(link, now)
    if end is None or (expires_at is not None and end + MARGIN > expires_at):
        return now
    return end


def end_of_quiet(link: TelegramLink, now: datetime) -> datetime | None:
    """Return when the quiet hours around ``now`` end; None outside of them.

    They may cross midnight. The clock is the one on the owner's wall, so a day with
    a change of time has its 08:00 like every other.
    """
    if link.quiet is None:
        return None
    begins, ends = link.quiet
    local = now.astimezone(ZoneInfo(link.time_zone))
    wall = local.time()
    if begins < ends:
        inside, tomorrow = begins <= wall < ends, False
    else:
        inside, tomorrow = wall >= begins or wall < ends, wall >= begins
    if not inside or begins == ends:
        return None
    day = local.date() + timedelta(days=1 if tomorrow else 0)
    return datetime.combine(day, ends, tzinfo=local.tzinfo)
