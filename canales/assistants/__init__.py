"""The owners' own assistants: a site's runs as a read-only MCP server."""
