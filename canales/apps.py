"""Django's handle on the channels."""

from django.apps import AppConfig


class CanalesConfig(AppConfig):
    """Messaging channels; nothing is connected yet."""

    name = "canales"
    verbose_name = "Canales"
