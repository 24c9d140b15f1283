"""The chat inside a page of the site: the script that opens it, and its frame.

The frame has no cookie, so nothing here depends on who a browser is: its script opens
a session with a token of its own, which only it can read.
"""

from pathlib import Path

from django.conf import settings
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_safe

from acciones.models import Site

from .shell import shell

LOADER: Path = settings.BASE_DIR / "web" / "dist" / "widget.js"
LOADER_SECONDS = 300
"""A page keeps the script this long: a new version reaches sites soon."""


@require_safe
@cache_control(public=True, max_age=LOADER_SECONDS)
def loader(request: HttpRequest) -> FileResponse:
    """Serve the script that a site's pages name."""
    if not LOADER.is_file():
        raise Http404
    answer = FileResponse(LOADER.open("rb"), content_type="text/javascript")
    # Any page may name the script; which of them may frame the chat is its own policy
    answer["Cross-Origin-Resource-Policy"] = "cross-origin"
    return answer


@require_safe
@never_cache
@xframe_options_exempt
def frame(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show the chat to the pages of its site, and to no other."""
    site = get_object_or_404(Site, public_id=public_id)
    asked = request.GET.get("lang", "")
    language = asked if asked in dict(settings.LANGUAGES) else ""
    return shell(request, site, {}, language=language, framed=True)
