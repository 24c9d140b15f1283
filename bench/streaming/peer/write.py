"""Writes the peer's events: the orders come by standard input (``orders.py``)."""

import os

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "bench.streaming.peer.settings")
django.setup()

from django_eventstream import send_event  # noqa: E402

from bench.streaming import orders  # noqa: E402


def tell(channel: str, text: str) -> None:
    """Send one event."""
    send_event(channel, "step", {"reason": text})


if __name__ == "__main__":
    orders.obey(tell)
