"""Addresses of the whole site.

WebSockets, SSE and JSONL never come here: ``maya.asgi`` answers them itself.
"""

from django.contrib import admin
from django.urls import include, path
from drf_spectacular.views import SpectacularAPIView

from . import pages
from .api_page import api_page

urlpatterns = [
    path("", pages.start, name="start"),
    path("healthz", pages.health, name="health"),
    path("api/schema", SpectacularAPIView.as_view(), name="schema"),
    path("api/docs", api_page, name="docs"),
    path("api/", include("acciones.api.urls")),
    path("", include("agente.urls")),
    path("", include("canales.urls")),
    path("admin/", admin.site.urls),
]
