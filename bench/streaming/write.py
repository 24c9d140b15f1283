"""Writes Maya's events: the orders come by standard input (``orders.py``)."""

import django

django.setup()

from acciones import events  # noqa: E402
from bench.streaming import orders  # noqa: E402


def tell(channel: str, text: str) -> None:
    """Append one event to a turn: the channel's name is its id."""
    payload = {"status": "using_tool", "reason": text}
    events.append("agente_turn", channel, type="run.status", payload=payload)


if __name__ == "__main__":
    orders.obey(tell)
