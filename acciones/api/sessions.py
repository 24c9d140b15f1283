"""Opens and ends visitors' sessions: anonymous, or vouched for by the site."""

from django.conf import settings
from django.http import HttpResponse
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from acciones import visitors
from acciones.errors import BadInput, Forbidden, NotFound
from acciones.identity import verify
from acciones.models import Conversation, Site, Visitor
from maya.lib.stored import storable

from . import shapes
from .parsers import json_body
from .runs import VisitorView
from .session import bearer, cookie_name, require_same_origin

COOKIE_SECONDS = 30 * 24 * 60 * 60


def set_cookie(response: HttpResponse, site: Site, token: str) -> None:
    """Give the browser its session: not readable by scripts, for our pages only."""
    response.set_cookie(
        cookie_name(site),
        token,
        max_age=COOKIE_SECONDS,
        httponly=True,
        secure=settings.SECURE,
        samesite="Lax",
    )


class Sessions(VisitorView):
    """A visitor's session on one site."""

    @extend_schema(
        request=shapes.SESSION_REQUEST,
        responses={
            200: shapes.SESSION,
            400: shapes.PROBLEM,
            401: shapes.PROBLEM,
            404: shapes.PROBLEM,
        },
    )
    def post(self, request: Request) -> Response:
        """Open or keep a session; with ``identity`` (a JWT) it becomes a customer's."""
        site, identity, wants_token = _read(request)
        current, from_bearer = _current(request, site)
        visitor, token = visitors.open_session(
            site,
            identity=verify(identity, site) if identity else None,
            current=current,
        )
        answer = _body(visitor)
        if wants_token and (token or from_bearer):
            answer["token"] = token or bearer(request._request)
        response = Response(answer)
        if token and not wants_token:
            set_cookie(response, site, token)
        return response

    @extend_schema(
        parameters=[OpenApiParameter("sitio", str, required=True)],
        responses={204: None, 403: shapes.PROBLEM, 404: shapes.PROBLEM},
    )
    def delete(self, request: Request) -> Response:
        """End the session that came along: its conversations are closed for good."""
        site = _site(request.GET.get("sitio", ""))
        http = request._request
        if not bearer(http):
            require_same_origin(http)
        current, _ = _current(request, site)
        if current is not None and current.site_id == site.pk:
            visitors.end_session(current)
        response = Response(status=204)
        response.delete_cookie(cookie_name(site), samesite="Lax")
        return response


def _read(request: Request) -> tuple[Site, str, bool]:
    data = json_body(request)
    if set(data) - {"sitio", "identity", "bearer"}:
        raise BadInput("Campos: sitio, identity, bearer.")
    public_id, identity = data.get("sitio"), data.get("identity", "")
    wants_token = data.get("bearer", False)
    if (
        not isinstance(public_id, str)
        or not isinstance(identity, str)
        or not isinstance(wants_token, bool)
    ):
        raise BadInput("sitio e identity son textos; bearer, true o false.")
    return _site(public_id), identity, wants_token


def _site(public_id: str) -> Site:
    site = Site.objects.filter(public_id=storable(public_id)).first()
    if site is None:
        raise NotFound("No hay ningún sitio con ese identificador.")
    return site


def _current(request: Request, site: Site) -> tuple[Visitor | None, bool]:
    """Return the session that came along, and whether as a bearer token."""
    http = request._request
    if token := bearer(http):
        return visitors.by_token(token), True
    token = http.COOKIES.get(cookie_name(site), "")
    if not http.headers.get("origin"):
        return None, False  # a program, not a page: it gets a session of its own
    try:
        require_same_origin(http)
    except Forbidden:
        return None, False
    return (visitors.by_token(token) if token else None), False


def _body(visitor: Visitor) -> dict[str, object]:
    customer = visitor.customer
    latest = (
        Conversation.objects.filter(visitor=visitor, closed=None, rehearsal=False)
        .order_by("-created")
        .values_list("pk", flat=True)
        .first()
    )
    return {
        "visitor": str(visitor.pk),
        "customer": (
            {"id": customer.external_id, "name": customer.name} if customer else None
        ),
        "conversation": str(latest) if latest else None,
    }
