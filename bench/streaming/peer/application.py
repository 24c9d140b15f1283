"""The peer's ASGI application."""

import os

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "bench.streaming.peer.settings")
application = get_asgi_application()
