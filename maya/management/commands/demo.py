"""`manage.py demo`: all of Maya on this machine, until Ctrl-C."""

import sys
from argparse import ArgumentParser
from pathlib import Path

from django.conf import settings
from django.core.management.base import BaseCommand

from maya.demonstration.problem import DemoProblem
from maya.demonstration.run import run
from maya.demonstration.words import complain
from maya.lib.servers import ServicesError


class Command(BaseCommand):
    help = "Runs Maya with its own PostgreSQL and Valkey, a demo bank and a demo shop."
    # The services that the checks ask for are what this command starts.
    requires_system_checks = []
    requires_migrations_checks = False

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--var", type=Path, default=settings.BASE_DIR / "var")

    def handle(self, *args: object, var: Path, **options: object) -> None:
        try:
            run(var)
        except (DemoProblem, ServicesError) as problem:
            complain(str(problem))
            sys.exit(1)
