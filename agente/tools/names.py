"""Names of the tools that a site has, and what an agent can reach with its own."""

from collections.abc import Iterable
from dataclasses import dataclass

from acciones.models import Action, Site
from agente.models import Agent, SurfaceTemplate
from agente.surfaces.show import PREFIX as SHOW

from . import policies, questions

ALWAYS = {
    policies.NAME: "Buscar en las políticas",
    questions.ASK: "Preguntar al cliente",
    questions.NOTE: "Anotar su respuesta",
}


@dataclass(frozen=True)
class Reach:
    """What an agent can do, by itself and through those it hands off to."""

    agent: str
    reads: list[str]
    proposes: list[str]
    passes_to: list["Reach"]


def of_site(site: Site) -> dict[str, str]:
    """Return the names of a site's tools with their titles."""
    actions = Action.objects.filter(site=site).order_by("kind", "name")
    surfaces = SurfaceTemplate.objects.filter(site=site).order_by("name")
    return (
        ALWAYS
        | {action.tool_name: action.title for action in actions}
        | {f"{SHOW}{surface.name}": surface.description for surface in surfaces}
    )


def reach(agent: Agent, *, through: Iterable[str] = ()) -> Reach:
    """Return what an agent reaches; hand-offs are followed once each."""
    titles = of_site(agent.site)
    known = [name for name in agent.tools if name in titles]
    seen = {*through, agent.name}
    others = Agent.objects.filter(
        site=agent.site, enabled=True, name__in=agent.can_handoff_to
    ).exclude(name__in=seen)
    return Reach(
        agent=agent.title,
        reads=[titles[n] for n in known if not n.startswith("change_")],
        proposes=[titles[n] for n in known if n.startswith("change_")],
        passes_to=[reach(other, through=seen) for other in others],
    )
