"""Drives a turn from its rows: after any crash it goes on from what is stored."""

import logging
from uuid import UUID

from django.utils.translation import gettext, override

from acciones.models import Conversation
from agente.models import Agent, Question, ToolCall, Turn, TurnAttempt
from agente.say import as_application
from agente.surfaces.show import PREFIX as SHOW_PREFIX
from agente.tools.toolbox import toolbox
from maya.lib import outgoing, trace

from . import status
from .budget import CLAIMS, RETRY_DELAYS, Spent
from .infer import Hopeless, infer
from .lease import Held, LeaseLost, claim, heartbeat
from .run_calls import run_calls
from .sentences import FAILED

CRASH_SECONDS = 5.0
"""Before a turn that raised something unforeseen is taken up again."""

logger = logging.getLogger(__name__)


def run_turn(turn_id: UUID | str) -> None:
    """Answer one turn, if it is due and nobody holds it."""
    held = claim(turn_id)
    if held is None:
        return
    about = {"turn": turn_id, "conversation": held.conversation_id}
    parent = Turn.objects.values_list("trace", flat=True).get(pk=held.turn_id)
    with heartbeat.keeping(held), trace.span("turn", parent=parent, **about):
        try:
            _drive(held)
        except LeaseLost:
            logger.info("turn %s is no longer ours", turn_id)
        except Exception:
            logger.exception("turn %s failed", turn_id)
            held.release(seconds=CRASH_SECONDS)


def _drive(held: Held) -> None:
    if held.claims > CLAIMS:
        return _fail(held, "crashed")
    conversation = Conversation.objects.select_related(
        "site", "visitor__customer", "visitor__site"
    ).get(pk=held.conversation_id)
    if not _give_agent(held, conversation):
        return _fail(held, "no_agent")
    with outgoing.closed(conversation.rehearsal):
        return _answer(held, conversation)


def _answer(held: Held, conversation: Conversation) -> None:
    while True:
        turn = Turn.objects.get(pk=held.turn_id)
        if not turn.is_open:
            return None
        spent = Spent(list(turn.attempts.order_by("number")), list(turn.calls.all()))
        agent = Agent.objects.select_related("site").get(
            site=conversation.site, name=turn.agent
        )
        tools = toolbox(agent, conversation)
        if waiting := _waiting(spent.calls):
            run_calls(held, conversation, tools, waiting)
            continue
        if over := spent.exhausted():
            logger.warning("turn %s used up its %s", turn.pk, over)
            return _fail(held, "budget")
        try:
            accepted = infer(held, agent, conversation, tools, step=_step(spent))
        except Hopeless:
            return _fail(held, "model")
        if not accepted and not _may_retry_now(held):
            return None


def _waiting(calls: list[ToolCall]) -> list[ToolCall]:
    return [call for call in calls if call.result is None]


def _step(spent: Spent) -> int:
    accepted = TurnAttempt.State.ACCEPTED
    return sum(attempt.state == accepted for attempt in spent.attempts) + 1


def _give_agent(held: Held, conversation: Conversation) -> bool:
    """Decide who answers: whoever asked or showed what is answered, else the root."""
    with held.writing() as turn:
        agents = Agent.objects.filter(site=conversation.site, enabled=True)
        if agents.filter(name=turn.agent).exists():
            return True
        chosen = agents.filter(name=_concerned(turn)).first()
        chosen = chosen or agents.filter(is_root=True).first()
        if chosen is None:
            return False
        turn.agent = chosen.name
        turn.save(update_fields=["agent"])
        return True


def _concerned(turn: Turn) -> str:
    before = Turn.objects.filter(
        conversation_id=turn.conversation_id, position__lt=turn.position
    ).order_by("-position")
    if turn.kind == Turn.Kind.ACTION:
        shown = before.filter(calls__name__startswith=SHOW_PREFIX).first()
        return shown.agent if shown else ""
    last = before.filter(kind=Turn.Kind.MESSAGE).first()
    asked = last and Question.objects.filter(turn=last, answered=None).exists()
    return last.agent if last and asked else ""


def _may_retry_now(held: Held) -> bool:
    """Plan another try of the same step, now or later, or give up with a sentence."""
    attempts = list(TurnAttempt.objects.filter(turn_id=held.turn_id).order_by("number"))
    broken = [a for a in attempts if a.step == attempts[-1].step]
    if len(broken) > len(RETRY_DELAYS):
        _fail(held, "model")
        return False
    delay = RETRY_DELAYS[len(broken) - 1]
    if delay:
        held.release(seconds=delay)
    return not delay


def _fail(held: Held, reason: str) -> None:
    with held.writing() as turn, override(turn.conversation.site.language):
        as_application(turn, gettext(FAILED[reason]))
        status.end(turn, Turn.State.FAILED, reason=reason)
