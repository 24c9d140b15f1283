"""One channel for each path."""

import django_eventstream
from django.http import HttpRequest, HttpResponse
from django.urls import include, path, re_path


def health(request: HttpRequest) -> HttpResponse:
    """Say that the server serves."""
    return HttpResponse("ok")


urlpatterns = [
    path("healthz", health),
    re_path(r"^es/(?P<channel>[\w-]+)/", include(django_eventstream.urls)),
]
