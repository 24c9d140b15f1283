"""MCP's official conformance scenarios against the bank that Maya is shown with."""
