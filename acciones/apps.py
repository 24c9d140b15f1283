"""Django's handle on the ledger."""

from django.apps import AppConfig


class AccionesConfig(AppConfig):
    """Actions, proposals, runs and their outcomes."""

    name = "acciones"
    verbose_name = "Acciones"
