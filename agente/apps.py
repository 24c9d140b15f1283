"""Django's handle on the talker."""

from django.apps import AppConfig


class AgenteConfig(AppConfig):
    """Conversations, turns, agents and what they may read."""

    name = "agente"
    verbose_name = "Agente"

    def ready(self) -> None:
        """Name the readers of the evidence that lives here."""
        from acciones import readers  # noqa: PLC0415  needs loaded models

        from . import evidence, statements  # noqa: PLC0415
        from .knowledge import observe  # noqa: PLC0415

        readers.register(evidence.POLICY, observe.read_again)
        readers.register(evidence.STATEMENT, statements.read_again)
