"""Django's handles on the composed site and its admin."""

from django.apps import AppConfig
from django.contrib.admin.apps import AdminConfig


class MayaConfig(AppConfig):
    """The site that composes the rest: checks, commands, Celery."""

    name = "maya"

    def ready(self) -> None:
        """Load the Celery application, so that every process can wake its tasks."""
        from maya import celery, checks  # noqa: F401, PLC0415  apps must be ready
        from maya.lib import trace  # noqa: PLC0415

        trace.configure()


class MayaAdminConfig(AdminConfig):
    """Django's own admin under our site class."""

    default_site = "acciones.admin.site.MayaAdminSite"
