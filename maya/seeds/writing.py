"""Writes demo data so that writing it again changes nothing."""

from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from acciones.models import Action, AgentSecret, Connection, Site
from acciones.publish import publish
from agente.knowledge.publish import publish as publish_policy
from agente.models import Agent, Policy, SurfaceTemplate
from maya.lib import vault


@dataclass(frozen=True)
class Writer:
    """Writes the rows of one site; ``pins`` are hashes of MCP tools, by name."""

    site: Site
    pins: dict[str, str] = field(default_factory=dict)

    def secret(self, kid: str, plain: str) -> None:
        """Make the agent's secret what its company signs with."""
        kept = AgentSecret.objects.filter(site=self.site, kid=kid).first()
        if kept is None:
            AgentSecret.rotate(self.site, kid=kid, overlap=timedelta(0), plain=plain)
        elif kept.plain != plain:
            kept.sealed = vault.seal(plain)
            kept.save(update_fields=["sealed"])

    def connection(
        self, name: str, kind: str, url: str, headers: dict[str, str] | None = None
    ) -> Connection:
        """Write where a company's system is."""
        connection, _ = Connection.objects.update_or_create(
            site=self.site, name=name, defaults={"kind": kind, "url": url}
        )
        if headers is not None and connection.headers != headers:
            connection.headers = headers
            connection.save(update_fields=["sealed_headers"])
        return connection

    def action(
        self, connection: Connection, kind: str, name: str, **given: Any
    ) -> Action:
        """Write an action and publish it, if it says something new."""
        if given["path"] in self.pins:
            given["tool_hash"] = self.pins[given["path"]]
        action, _ = Action.objects.update_or_create(
            site=self.site,
            kind=kind,
            name=name,
            defaults={**given, "connection": connection},
        )
        publish(action)
        return action

    def agent(self, name: str, **given: Any) -> Agent:
        """Write an agent."""
        agent, _ = Agent.objects.update_or_create(
            site=self.site, name=name, defaults=given
        )
        return agent

    def policy(self, slug: str, title: str, text: str) -> Policy:
        """Write a policy and publish its text, if it is another."""
        policy, _ = Policy.objects.update_or_create(
            site=self.site, slug=slug, defaults={"title": title}
        )
        publish_policy(policy, text)
        return policy

    def surface(self, name: str, **given: Any) -> SurfaceTemplate:
        """Write a surface."""
        template, _ = SurfaceTemplate.objects.update_or_create(
            site=self.site, name=name, defaults=given
        )
        return template


def site(public_id: str, name: str, origins: list[str]) -> Site:
    """Write a site."""
    made, _ = Site.objects.update_or_create(
        public_id=public_id,
        defaults={"name": name, "allowed_origins": origins, "language": "es"},
    )
    return made
