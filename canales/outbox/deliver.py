"""Deliver: carry what is due in one lane, one thing after the other."""

import logging

from . import mail, telegram
from .claim import Claimed, claim
from .outcome import Outcome
from .settle import settle

# A lane with more than this to say lets the others have a worker in between
MOST_AT_ONCE = 20
SENDERS = {"telegram": telegram.send, "mail": mail.send}

logger = logging.getLogger(__name__)


def deliver(lane: str) -> int:
    """Send what is due in a lane; returns how many deliveries were tried.

    If the process dies between the answer and its record, the lease runs out and
    ``recover`` decides: nothing is ever sent twice for not knowing.
    """
    for number in range(MOST_AT_ONCE):
        claimed = claim(lane)
        if claimed is None:
            return number
        if not settle(claimed, _try(lane, claimed)):
            return number + 1
    return MOST_AT_ONCE


def _try(lane: str, claimed: Claimed) -> Outcome:
    channel = lane.partition(":")[0]
    outcome = SENDERS[channel](claimed.alert_id, claimed.purpose)
    if outcome.verdict not in {"sent", "dropped"}:
        logger.warning("%s: %s (%s)", lane, outcome.verdict, outcome.detail)
    return outcome
