"""Celery's thin side: ids come in, rows decide."""

from celery import shared_task

from agente.loop.due import due_turns
from agente.loop.run import run_turn as run
from agente.outcomes import adopt_offers, tell_outcomes
from agente.tools.watch import watch

LOST_SECONDS = 2.0
"""A wake-up that is this late is taken for lost."""
EXPIRE_SECONDS = 10
"""Behind busy workers a sweep's wake-ups must not pile up: the next sweep has more."""


@shared_task(name="agente.run_turn")
def run_turn(turn_id: str) -> None:
    """Answer one turn."""
    run(turn_id)


@shared_task(name="agente.watch_tools")
def watch_tools() -> None:
    """Switch off MCP tools that are not what their owners enabled."""
    watch()


@shared_task(name="agente.sweep")
def sweep() -> None:
    """Find what a lost wake-up missed: turns to answer, outcomes to tell."""
    adopt_offers()
    tell_outcomes()
    for turn_id in due_turns(waited=LOST_SECONDS):
        run_turn.apply_async([str(turn_id)], expires=EXPIRE_SECONDS)
