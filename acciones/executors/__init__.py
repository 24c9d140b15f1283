"""Executors carry requests out: signed webhooks and MCP tools, changes and lookups."""
