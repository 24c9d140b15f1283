"""Writes the audit as CSV to standard output."""

from argparse import ArgumentParser
from datetime import datetime
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone
from django.utils.dateparse import parse_date, parse_datetime

from acciones.audit_csv import write
from acciones.models import AuditEntry, Site


class Command(BaseCommand):
    help = "Write the audit as CSV, the oldest entry first."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--site", help="only this site, by its public id")
        parser.add_argument("--since", help="from this date or time on (ISO 8601)")
        parser.add_argument("--until", help="before this date or time (ISO 8601)")

    def handle(self, *args: Any, **options: Any) -> None:
        entries = AuditEntry.objects.order_by("pk")
        if options["site"]:
            site = Site.objects.filter(public_id=options["site"]).first()
            if site is None:
                raise CommandError(f"No site has the public id {options['site']!r}.")
            entries = entries.filter(site=site)
        if options["since"]:
            entries = entries.filter(created__gte=_moment(options["since"]))
        if options["until"]:
            entries = entries.filter(created__lt=_moment(options["until"]))
        count = write(entries.iterator(chunk_size=2000), self.stdout)
        self.stderr.write(f"{count} entries.")


def _moment(text: str) -> datetime:
    """Read a date or time; one without a zone is taken in the server's."""
    try:
        found = parse_datetime(text) or parse_date(text)
    except ValueError:
        found = None
    if found is None:
        raise CommandError(f"{text!r} is no ISO 8601 date or time.")
    if not isinstance(found, datetime):
        found = datetime.combine(found, datetime.min.time())
    return timezone.make_aware(found) if timezone.is_naive(found) else found
