"""The site's own two pages: where to go from here, and whether it lives."""

from django.conf import settings
from django.db import OperationalError, connection
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from acciones.models import Site


@require_safe
def start(request: HttpRequest) -> HttpResponse:
    """Show the ways in; a development machine also names the chats it has."""
    sites = Site.objects.order_by("name")[:20] if settings.DEBUG else []
    return render(request, "maya/start.html", {"sites": sites})


@never_cache
@require_safe
def health(request: HttpRequest) -> HttpResponse:
    """Answer 200 while the database answers, else 503."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except OperationalError:
        return HttpResponse("database\n", status=503, content_type="text/plain")
    return HttpResponse("ok\n", content_type="text/plain")
