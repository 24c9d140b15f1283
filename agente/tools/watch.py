"""Watches MCP tools: one that is not what its owner enabled any more is switched off.

A server may change a tool under everybody's feet. Name, description, schema and the
read-only mark are hashed when the tool is first seen; any other hash switches the
action off until its owner has looked and enables it again. A lookup must be read-only
by the server's word as well as by its owner's.
"""

import logging

from mcp_types import Tool

from acciones import audit
from acciones.executors.tool import server_of
from acciones.models import Action, Connection
from acciones.publish import publish
from maya.lib import addresses, background, canonical, mcp

LIST_SECONDS = 10

logger = logging.getLogger(__name__)


def fingerprint(tool: Tool) -> str:
    """Return the SHA-256 of what a tool says of itself."""
    return canonical.sha256(
        {
            "name": tool.name,
            "description": tool.description or "",
            "schema": tool.input_schema,
            "read_only": _is_read_only(tool),
        }
    )


def _is_read_only(tool: Tool) -> bool:
    return tool.annotations is not None and tool.annotations.read_only_hint is True


def tools_of(server: mcp.Server) -> dict[str, Tool] | None:
    """Return a server's tools by name, or None while it cannot be asked."""
    try:
        listed = background.run(mcp.list_tools(server), timeout=LIST_SECONDS)
    except (mcp.Unavailable, addresses.Refused, TimeoutError) as error:
        logger.warning("tools cannot be listed: %s", type(error).__name__)
        return None
    return {tool.name: tool for tool in listed}


def watch() -> None:
    """Compare every enabled MCP action with what its server says now."""
    connections = Connection.objects.filter(
        kind=Connection.Kind.MCP, enabled=True, actions__enabled=True
    ).distinct()
    for connection in connections:
        tools = tools_of(server_of(connection))
        if tools is None:
            continue
        actions = connection.actions.filter(enabled=True)
        for action in actions.select_related("site", "connection", "status_lookup"):
            _compare(action, tools.get(action.path))


def _compare(action: Action, tool: Tool | None) -> None:
    if tool is None:
        _block(action, "missing")
    elif action.kind == Action.Kind.LOOKUP and not _is_read_only(tool):
        _block(action, "not_read_only")
    elif not action.tool_hash:
        action.tool_hash = fingerprint(tool)
        action.save(update_fields=["tool_hash"])
        publish(action)
    elif action.tool_hash != fingerprint(tool):
        _block(action, "changed")


def _block(action: Action, reason: str) -> None:
    """Switch an action off; enabling it again takes the tool as it is then."""
    logger.warning("tool %s of site %s: %s", action.path, action.site_id, reason)
    changed = Action.objects.filter(pk=action.pk, enabled=True).update(
        enabled=False, tool_hash=""
    )
    if changed:
        audit.record(
            audit.Kind.SETTING,
            "block",
            surface="mcp",
            site=action.site,
            subject="action",
            subject_id=action.pk,
            before={"enabled": True},
            after={"enabled": False},
            note=f"{action.path}: {reason}",
        )
