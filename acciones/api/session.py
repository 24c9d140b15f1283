"""Who is asking: a visitor's session by bearer token or same-origin cookie."""

from django.http import HttpRequest
from rest_framework.request import Request

from acciones import visitors
from acciones.errors import Forbidden, SessionRequired
from acciones.models import Site, Visitor
from maya.lib.origins import host_of

COOKIE = "maya_visitor_"
SAFE = {"GET", "HEAD", "OPTIONS"}


def cookie_name(site: Site) -> str:
    """Return the cookie of a site's visitors; sites on one host do not mix."""
    return f"{COOKIE}{site.public_id}"


def bearer(request: HttpRequest) -> str:
    """Return the bearer token of a request, or nothing."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""


def sessions(request: Request) -> list[Visitor]:
    """Return the visitors whose sessions came along; raises ``SessionRequired``.

    A bearer token stands alone. Cookies count on state-changing requests only from
    our own pages.
    """
    http = request._request
    token = bearer(http)
    if token:
        tokens = [token]
    else:
        tokens = [
            value for name, value in http.COOKIES.items() if name.startswith(COOKIE)
        ]
        if tokens and http.method not in SAFE:
            require_same_origin(http)
    found = [visitor for visitor in map(visitors.by_token, tokens) if visitor]
    if not found:
        raise SessionRequired
    return found


def require_same_origin(request: HttpRequest) -> None:
    """Refuse a cookie that another site's page sent along."""
    origin = request.headers.get("origin", "")
    if not origin or host_of(origin) != request.get_host().lower():
        raise Forbidden("Abre el chat desde su propia página.")
