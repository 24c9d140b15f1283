"""Banco Alameda, an invented bank: its cards, and the MCP server its agent calls."""
