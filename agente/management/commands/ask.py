"""Talks to an agent in the terminal, with its phases shown."""

import sys
import threading
from argparse import ArgumentParser
from collections.abc import Iterator
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import connections

from acciones.models import Conversation, Event, Site
from agente.evaluation.play import answer, rehearsal

LOOK_SECONDS = 0.1


class Command(BaseCommand):
    help = "Talk to a site's agent in a rehearsal: it reads, and no button works."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("site")
        parser.add_argument("message", nargs="*", help="without it, lines of stdin")
        parser.add_argument("--customer", default="", help="as this customer")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            conversation = rehearsal(options["site"], options["customer"])
        except Site.DoesNotExist as error:
            raise CommandError(f"There is no site {options['site']}.") from error
        position = 0
        for text in _texts(options["message"]):
            position = self._ask(conversation, text, position)

    def _ask(self, conversation: Conversation, text: str, position: int) -> int:
        """Answer in a thread of its own, and show events as they are stored."""
        worker = threading.Thread(target=_work, args=(conversation, text))
        worker.start()
        while worker.is_alive():
            worker.join(LOOK_SECONDS)
            position = self._show(conversation, position)
        return self._show(conversation, position)

    def _show(self, conversation: Conversation, position: int) -> int:
        fresh = Event.objects.filter(conversation=conversation, position__gt=position)
        for event in fresh.order_by("position"):
            position = event.position
            if line := _line(event.type, event.payload):
                self.stdout.write(line)
        return position


def _texts(words: list[str]) -> Iterator[str]:
    if words:
        yield " ".join(words)
        return
    for line in sys.stdin:
        if line.strip():
            yield line.strip()


def _work(conversation: Conversation, text: str) -> None:
    try:
        answer(conversation, text)
    finally:
        connections.close_all()


def _line(kind: str, payload: dict[str, Any]) -> str:
    """Return how an event looks in a terminal."""
    match kind:
        case "message.received":
            return f"\n> {payload['text']}"
        case "message.completed":
            cited = "".join(f"\n    [{s['title']}]" for s in payload["sources"])
            return f"{payload['text']}{cited}"
        case "run.status":
            return f"  · {payload['status']}"
        case "tool.started":
            return f"  · {payload['name']} {payload['params']}"
        case "agent.handoff":
            return f"  · {payload['from']} → {payload['to']}: {payload['reason']}"
        case "proposal.created":
            shown = ", ".join(f"{i['label']}: {i['shown']}" for i in payload["input"])
            return f"  ▣ {payload['title']} ({shown}) · {payload['digest_short']}"
        case "surface.updated":
            return f"  ▤ {next(k for k in payload['message'] if k != 'version')}"
    return ""
