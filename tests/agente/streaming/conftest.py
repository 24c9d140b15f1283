"""The streams' own conversation: the agent's fixture of that name lies nearer."""

from tests.live.fixtures import talk

__all__ = ["talk"]
