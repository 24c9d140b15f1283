"""Throttling: so many requests a minute and token, counted in Redis.

Without Redis nothing is counted and everybody is let in: an owner who cannot reject
a refund because a cache is down is worse off than one with a noisy program.
"""

import logging
import time
from functools import cache

import redis
from django.conf import settings
from redis.exceptions import RedisError
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle
from rest_framework.views import APIView

from .token import token_of

SOCKET_SECONDS = 0.3
# After a failure Redis is left alone this long: a frozen one costs one time-out
PAUSE_SECONDS = 2.0
WINDOW_SECONDS = 60

logger = logging.getLogger(__name__)


@cache
def _redis(url: str) -> redis.Redis:
    return redis.Redis.from_url(
        url,
        socket_timeout=SOCKET_SECONDS,
        socket_connect_timeout=SOCKET_SECONDS,
        retry=None,
    )


def now() -> float:
    """Return the time in seconds, the same in every process."""
    return time.time()


class TokenThrottle(BaseThrottle):
    """Counts a token's requests in fixed windows; a view says ``per_minute``."""

    paused_until = 0.0

    def allow_request(self, request: Request, view: APIView) -> bool:
        """Count this request, and say whether it is within the limit."""
        limit = int(getattr(view, "per_minute", 0))
        name = str(getattr(view, "throttle_name", ""))
        count = self._count(f"{token_of(request).pk}:{name}")
        return count is None or count <= limit

    def wait(self) -> float:
        """Return the seconds until the window ends."""
        return WINDOW_SECONDS - now() % WINDOW_SECONDS

    def _count(self, who: str) -> int | None:
        if time.monotonic() < TokenThrottle.paused_until:
            return None
        window = int(now() // WINDOW_SECONDS)
        key = f"maya:throttle:{who}:{window}"
        try:
            with _redis(settings.REDIS_URL).pipeline(transaction=False) as pipe:
                pipe.incr(key)
                pipe.expire(key, WINDOW_SECONDS)
                return int(pipe.execute()[0])
        except (RedisError, OSError) as error:
            TokenThrottle.paused_until = time.monotonic() + PAUSE_SECONDS
            logger.warning("requests are not counted: %s", type(error).__name__)
            return None
