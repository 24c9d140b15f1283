"""Django's handle on the channels."""

from django.apps import AppConfig


class CanalesConfig(AppConfig):
    """The wires to people, and the outbox that what is sent on them goes through."""

    name = "canales"
    verbose_name = "Canales"

    def ready(self) -> None:
        """Register the system checks."""
        from . import checks  # noqa: F401, PLC0415  needs loaded settings
