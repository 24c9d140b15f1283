"""The chat page, its door for signed-in customers, and the catalogue of surfaces."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.decorators import method_decorator
from django.views import View
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_safe

from acciones import visitors
from acciones.api.session import cookie_name
from acciones.api.sessions import set_cookie
from acciones.errors import IdentityRefused
from acciones.identity import verify
from acciones.models import Site, Visitor
from agente.shell import shell
from agente.surfaces.catalogue import catalogue
from maya.lib.origins import host_of

CATALOGUE_SECONDS = 3600


@require_safe
@cache_control(public=True, max_age=CATALOGUE_SECONDS)
def catalogue_page(request: HttpRequest) -> JsonResponse:
    """Serve the A2UI catalogue that our surfaces name."""
    return JsonResponse(catalogue(), json_dumps_params={"ensure_ascii": False})


@method_decorator([never_cache, csrf_exempt], name="dispatch")
class Chat(View):
    """The chat of a site. The door takes no CSRF token: a signed identity is more."""

    def get(self, request: HttpRequest, public_id: str) -> HttpResponse:
        """Show the chat; the browser opens the session itself."""
        site = _site(public_id)
        return _page(request, site, _current(request, site))

    def post(self, request: HttpRequest, public_id: str) -> HttpResponse:
        """Let a customer in whom the site vouches for, and show the chat."""
        site = _site(public_id)
        current = _current(request, site)
        if not _may_open(request, site):
            return _page(request, site, current, refused=True, status=403)
        try:
            identity = verify(request.POST.get("identity", ""), site)
        except IdentityRefused:
            return _page(request, site, current, refused=True, status=401)
        _, token = visitors.open_session(site, identity=identity, current=current)
        answer = redirect("chat", public_id=public_id)
        answer.status_code = 303
        if token:
            set_cookie(answer, site, token)
        return answer


def _site(public_id: str) -> Site:
    return get_object_or_404(Site, public_id=public_id)


def _current(request: HttpRequest, site: Site) -> Visitor | None:
    token = request.COOKIES.get(cookie_name(site), "")
    visitor = visitors.by_token(token) if token else None
    return visitor if visitor and visitor.site_id == site.pk else None


def _may_open(request: HttpRequest, site: Site) -> bool:
    """Say whether a page of the site itself, or ours, sent the form."""
    origin = request.headers.get("origin", "")
    return origin in site.allowed_origins or (
        host_of(origin) == request.get_host().lower() and origin != ""
    )


def _page(
    request: HttpRequest,
    site: Site,
    visitor: Visitor | None,
    *,
    refused: bool = False,
    status: int = 200,
) -> HttpResponse:
    customer = visitor.customer if visitor else None
    answer = shell(request, site, {"customer": customer, "refused": refused})
    answer.status_code = status
    return answer
