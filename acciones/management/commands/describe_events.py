"""Writes docs/events.md from the vocabulary of events."""

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser

from acciones import vocabulary

HEAD = f"""\
# Events

Every durable fact of a turn or a run is an event. The vocabulary is closed, and this
page is generated from it (`manage.py describe_events`); version {vocabulary.VERSION}.

Envelope on every transport:
`{{"id": "<run_id>:<seq>", "run_id", "seq", "position", "type", "payload", "created"}}`.
`seq` is dense per `run_id` (a turn's or a run's id), `position` is dense per
conversation, both from 1. Deduplicate by `id`; a jump in `position` is a gap: ask again
from the last position you have.
"""


class Command(BaseCommand):
    help = "Write docs/events.md from the vocabulary of events."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--stdout", action="store_true")

    def handle(self, *args: Any, stdout: bool, **options: Any) -> None:
        text = "\n".join([HEAD, *map(_section, vocabulary.PAYLOADS)])
        if stdout:
            self.stdout.write(text)
        else:
            (Path(settings.BASE_DIR) / "docs" / "events.md").write_text(text)


def _section(kind: str) -> str:
    schema = vocabulary.PAYLOADS[kind]
    rows = [
        f"| `{name}` | {_type(shape)} | {'yes' if name in schema['required'] else ''} |"
        for name, shape in schema["properties"].items()
    ]
    table = ["| field | type | always |", "|---|---|---|", *rows]
    return "\n".join([f"## `{kind}`", "", schema["description"], "", *table, ""])


def _type(shape: dict[str, Any]) -> str:
    kind = shape["type"]
    return " or ".join(kind) if isinstance(kind, list) else str(kind)
