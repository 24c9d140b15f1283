"""The talker's part of the admin: agents, what they may quote, which model answers."""

from . import agents, language, policies

__all__ = ["agents", "language", "policies"]
