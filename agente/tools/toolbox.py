"""The tools that an agent holds in a conversation: its own names, and what exists."""

from collections.abc import Iterator

from acciones.models import Action, Conversation
from agente.models import Agent, SurfaceTemplate

from . import changes, handoffs, lookups, policies, questions, surfaces
from .tool import Tool

FIXED = {
    policies.NAME: policies.tool,
    questions.ASK: questions.ask,
    questions.NOTE: questions.note,
}


def toolbox(agent: Agent, conversation: Conversation) -> dict[str, Tool]:
    """Return an agent's tools by name; what is disabled or unknown is left out."""
    every = {tool.name: tool for tool in _existing(agent, conversation)}
    return {name: every[name] for name in every if _may(agent, name)}


def _may(agent: Agent, name: str) -> bool:
    return name in agent.tools or name.startswith(handoffs.PREFIX)


def _existing(agent: Agent, conversation: Conversation) -> Iterator[Tool]:
    for make in FIXED.values():
        yield make()
    actions = Action.objects.filter(site=agent.site, enabled=True, version__gt=0)
    for action in actions.select_related("connection", "status_lookup"):
        if not action.connection.enabled:
            continue
        if action.kind == Action.Kind.LOOKUP:
            yield lookups.tool(action, conversation)
        else:
            yield changes.tool(action)
    for template in SurfaceTemplate.objects.filter(site=agent.site, enabled=True):
        yield surfaces.tool(template)
    others = Agent.objects.filter(site=agent.site, enabled=True).exclude(pk=agent.pk)
    for other in others.filter(name__in=agent.can_handoff_to):
        yield handoffs.tool(other)
