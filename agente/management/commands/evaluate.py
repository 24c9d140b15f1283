"""Plays scenarios against the models that sites have configured."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from acciones.models import Site
from agente.evaluation.play import Verdict, play
from agente.evaluation.report import junit, table
from agente.evaluation.scenario import BadScenario, Scenario, load


class Command(BaseCommand):
    help = "Play a file of scenarios in rehearsals; exit with 1 if any goes wrong."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--only", default="", help="part of a scenario's name")
        parser.add_argument("--junit", type=Path)

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            scenarios = load(options["file"])
        except BadScenario as error:
            raise CommandError(str(error)) from error
        chosen = [one for one in scenarios if options["only"] in one.name]
        if not chosen:
            raise CommandError("No scenario has such a name.")
        verdicts = [self._play(scenario) for scenario in chosen]
        if options["junit"]:
            junit(verdicts, options["junit"])
        failed = sum(bool(verdict.wrong) for verdict in verdicts)
        self.stdout.write(f"{len(verdicts) - failed} passed, {failed} failed")
        if failed:
            raise CommandError(f"{failed} scenarios went wrong.", returncode=1)

    def _play(self, scenario: Scenario) -> Verdict:
        try:
            verdict = play(scenario)
        except Site.DoesNotExist as error:
            raise CommandError(f"There is no site {scenario.site}.") from error
        self.stdout.write(table([verdict]))
        return verdict
