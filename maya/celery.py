"""The Celery application: short wake-ups by name, and a sweep for what they missed."""

import os

from celery import Celery
from django.conf import settings

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "maya.settings")

WATCH_SECONDS = 60
"""How soon a changed MCP tool is noticed."""

app = Celery("maya")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@app.on_after_finalize.connect
def schedule_sweeps(sender: Celery, **kwargs: object) -> None:
    """Sweep each queue of rows often: a lost wake-up then costs seconds, not a run."""
    sender.add_periodic_task(
        WATCH_SECONDS, sender.signature("agente.watch_tools"), expires=WATCH_SECONDS
    )
    for name in ("acciones.sweep", "agente.sweep", "canales.sweep"):
        sender.add_periodic_task(
            settings.MAYA_SWEEP_SECONDS,
            sender.signature(name),
            name=name,
            expires=settings.MAYA_SWEEP_SECONDS * 2,
        )
