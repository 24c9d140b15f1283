"""Django's handle on the ledger."""

from django.apps import AppConfig


class AccionesConfig(AppConfig):
    """Actions, proposals, runs and their outcomes."""

    name = "acciones"
    verbose_name = "Acciones"

    def ready(self) -> None:
        """Name the reader of lookup evidence."""
        from . import lookup_reader, readers  # noqa: PLC0415  needs loaded models

        readers.register("lookup", lookup_reader.read_again)
