"""Celery's thin side: ids come in, rows decide."""

from celery import shared_task

from agente.loop.due import due_turns
from agente.loop.run import run_turn as run
from agente.outcomes import adopt_offers, tell_outcomes
from agente.tools.watch import watch


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
    for turn_id in due_turns():
        run_turn.delay(str(turn_id))
