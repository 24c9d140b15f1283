"""Django's handle on the talker."""

from django.apps import AppConfig


class AgenteConfig(AppConfig):
    """Conversations, turns, agents and what they may read."""

    name = "agente"
    verbose_name = "Agente"
