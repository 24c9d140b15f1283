"""Plays a scenario in a rehearsal and judges it by the rows that it leaves."""

import re
import time
from collections.abc import Iterator
from dataclasses import dataclass
from uuid import uuid4

from acciones.models import Conversation, Customer, Event, Run, Site
from acciones.visitors import open_session
from agente.loop.run import run_turn
from agente.models import Message, Turn
from agente.turns import start_message

from .scenario import Scenario

PATIENCE_SECONDS = 60
"""For a model that asks to be tried later."""


@dataclass(frozen=True)
class Verdict:
    """What was wrong with a played scenario; nothing, if all is well."""

    scenario: Scenario
    wrong: tuple[str, ...]
    seconds: float
    said: str


def play(scenario: Scenario) -> Verdict:
    """Play a scenario with whatever model its site has; never confirms anything."""
    started = time.monotonic()
    conversation = rehearsal(scenario.site, scenario.customer)
    for text in scenario.says:
        answer(conversation, text)
    said = _said(conversation)
    wrong = tuple(_wrong(scenario, conversation, said))
    return Verdict(scenario, wrong, time.monotonic() - started, said)


def rehearsal(site_id: str, customer_id: str) -> Conversation:
    """Begin a rehearsal, in which no button works; raises ``Site.DoesNotExist``."""
    site = Site.objects.get(public_id=site_id)
    visitor, _ = open_session(site)
    if customer_id:
        visitor.customer, _ = Customer.objects.get_or_create(
            site=site, external_id=customer_id
        )
        visitor.save(update_fields=["customer"])
    return Conversation.objects.create(site=site, visitor=visitor, rehearsal=True)


def answer(conversation: Conversation, text: str) -> Turn:
    """Say something and let the agent answer, here and now."""
    started = start_message(
        visitor=conversation.visitor,
        conversation_id=conversation.pk,
        message_id=uuid4().hex,
        text=text,
    )
    deadline = time.monotonic() + PATIENCE_SECONDS
    while True:
        run_turn(started.turn_id)
        turn = Turn.objects.get(pk=started.turn_id)
        if not turn.is_open or time.monotonic() > deadline:
            return turn
        time.sleep(0.2)


def _said(conversation: Conversation) -> str:
    messages = Message.objects.filter(conversation=conversation)
    told = messages.exclude(author=Message.Author.CUSTOMER).order_by("created")
    return "\n".join(told.values_list("text", flat=True))


def _wrong(scenario: Scenario, conversation: Conversation, said: str) -> Iterator[str]:
    """Yield a sentence for each expectation that was not met."""
    events = Event.objects.filter(conversation=conversation)
    called = set(
        events.filter(type="tool.started").values_list("payload__name", flat=True)
    )
    for name in set(scenario.tools) - called:
        yield f"{name} was not called"
    for name in set(scenario.never_tools) & called:
        yield f"{name} was called"
    reached = events.filter(type="agent.handoff").values_list("payload__to", flat=True)
    if scenario.handoff and scenario.handoff not in reached:
        yield f"{scenario.handoff} was not reached"
    for pattern in scenario.answers:
        if not re.search(pattern, said, re.IGNORECASE):
            yield f"nothing said matches {pattern!r}"
    for pattern in scenario.never_answers:
        if re.search(pattern, said, re.IGNORECASE):
            yield f"something said matches {pattern!r}"
    if not said:
        yield "nothing was said"
    yield from _offer(scenario, conversation)


def _offer(scenario: Scenario, conversation: Conversation) -> Iterator[str]:
    runs = Run.objects.filter(conversation=conversation, state=Run.State.REQUESTED)
    open_runs = {
        run.action.name: run for run in runs.select_related("action", "proposal")
    }
    wanted = scenario.proposal
    for name in set(open_runs) - {wanted.get("action")}:
        yield f"{name} was proposed"
    if not wanted:
        return
    run = open_runs.get(wanted["action"])
    if run is None:
        yield f"{wanted['action']} was not proposed"
        return
    if wanted.get("target", run.proposal.target_ref) != run.proposal.target_ref:
        yield f"the target is {run.proposal.target_ref}"
    if (
        wanted.get("amount_minor", run.proposal.amount_minor)
        != run.proposal.amount_minor
    ):
        yield f"the amount is {run.proposal.amount_minor}"
    cited = {item.reference for item in run.proposal.evidence.all()}
    for reference in set(scenario.evidence) - cited:
        yield f"{reference} is not cited"
