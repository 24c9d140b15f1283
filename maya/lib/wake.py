"""Wakes others up after commit: tasks by name, readers by conversation.

A wake-up is a hint. Rows are the truth, a sweep finds what a lost hint missed, so
nothing here retries, raises or waits for longer than a short socket time-out.
"""

import json
import logging
import time
from collections.abc import Callable
from typing import Any

import redis
from celery import current_app
from django.conf import settings
from django.db import transaction

EVENTS, DRAFTS, SITES = "maya:events", "maya:draft", "maya:site"
SOCKET_SECONDS = 0.3
# After a failure Redis is left alone for this long, so that a frozen Redis costs a
# request one time-out and not one for each hint
PAUSE_SECONDS = 2.0
DRAFT_SECONDS = 600

logger = logging.getLogger(__name__)
_paused_until = 0.0
_client: redis.Redis | None = None


def _redis() -> redis.Redis:
    global _client  # noqa: PLW0603  one pool per process
    if _client is None:
        _client = redis.Redis.from_url(
            settings.REDIS_URL,
            socket_timeout=SOCKET_SECONDS,
            socket_connect_timeout=SOCKET_SECONDS,
            retry=None,
        )
    return _client


def _hint(call: Callable[[], Any]) -> None:
    """Try once; on trouble, say so and leave Redis alone for a moment."""
    global _paused_until  # noqa: PLW0603  one breaker per process
    if time.monotonic() < _paused_until:
        return
    try:
        call()
    except Exception as error:  # noqa: BLE001  a hint never fails its caller
        _paused_until = time.monotonic() + PAUSE_SECONDS
        logger.warning("wake-up lost: %s", type(error).__name__)


def _after_commit(call: Callable[[], Any]) -> None:
    transaction.on_commit(lambda: _hint(call), robust=True)


def task(name: str, *args: Any) -> None:
    """Send a Celery task by name after commit."""
    _after_commit(lambda: current_app.send_task(name, args=args, retry=False))


def task_after(seconds: float, name: str, *args: Any) -> None:
    """Send a punctual retry after commit; a sweep finds it should this be lost.

    A countdown stays far below the broker's visibility time-out (a longer one runs
    the task many times over).
    """
    _after_commit(
        lambda: current_app.send_task(name, args=args, countdown=seconds, retry=False)
    )


def readers(conversation_id: Any) -> None:
    """Tell the readers of a conversation to read again, after commit."""
    _after_commit(lambda: _redis().publish(EVENTS, str(conversation_id)))


def site(site_id: int) -> None:
    """Tell a site's inboxes to look again, after commit."""
    _after_commit(lambda: _redis().publish(SITES, str(site_id)))


def draft(
    conversation_id: Any,
    run_id: Any,
    *,
    attempt: int,
    offset: int,
    text: str,
    so_far: str,
) -> None:
    """Publish a piece of provisional text and keep the draft for late readers.

    ``offset`` is where ``text`` begins in the attempt's draft, in characters.
    """
    message = {
        "conversation": str(conversation_id),
        "run_id": str(run_id),
        "attempt": attempt,
        "offset": offset,
        "text": text,
    }
    kept = {
        "conversation": str(conversation_id),
        "attempt": attempt,
        "text": so_far,
    }

    def send() -> None:
        pipeline = _redis().pipeline(transaction=False)
        pipeline.set(f"{DRAFTS}:{run_id}", json.dumps(kept), ex=DRAFT_SECONDS)
        pipeline.publish(DRAFTS, json.dumps(message))
        pipeline.execute()

    _hint(send)


def preparing(conversation_id: Any, run_id: Any, *, attempt: int, name: str) -> None:
    """Say that a tool call is being written; it does not exist yet."""
    message = {
        "conversation": str(conversation_id),
        "run_id": str(run_id),
        "attempt": attempt,
        "preparing": name,
    }
    _hint(lambda: _redis().publish(DRAFTS, json.dumps(message)))


def drop_draft(run_id: Any) -> None:
    """Forget a draft once its answer is stored."""
    _after_commit(lambda: _redis().delete(f"{DRAFTS}:{run_id}"))
