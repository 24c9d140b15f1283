"""Installs the points of death in a worker, without a line in the product."""

from django.apps import AppConfig
from django.db.backends.signals import connection_created

from . import points


class FaultsConfig(AppConfig):
    name = "tests.faults"
    label = "faults"

    def ready(self) -> None:
        """Watch what every connection writes."""
        connection_created.connect(points.watch)
