"""Tokens: made once, shown once, and who comes with one."""

import hashlib
import secrets
from collections.abc import Iterable
from datetime import timedelta
from typing import Any

from django.db.models import Q
from django.db.models.functions import Now
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.views import APIView

from acciones.api.session import bearer
from acciones.errors import BadInput, Forbidden, MayaError
from acciones.models import ApiToken, Member

PREFIX = "maya_"
TOKEN_BYTES = 32
HINT_LENGTH = 10
SCOPES = set(ApiToken.Scope.values)


class TokenRequired(MayaError):
    """Envía tu llave: «Authorization: Bearer maya_…». No vale, caducó o falta."""

    code, status = "token_required", 401


class ScopeMissing(MayaError):
    """Esta llave no tiene permiso para esto."""

    code, status = "scope_missing", 403


def hashed(token: str) -> str:
    """Return how a token is stored and looked up."""
    return hashlib.sha256(token.encode("utf-8", "surrogateescape")).hexdigest()


def issue(
    member: Member, *, name: str, scopes: Iterable[str], lives: timedelta | None = None
) -> tuple[ApiToken, str]:
    """Make a token; the text is readable only here.

    Raises ``BadInput`` for unknown scopes or none, ``Forbidden`` for one that the
    member's role does not reach.
    """
    wanted = sorted(set(scopes))
    if not wanted or not set(wanted) <= SCOPES:
        raise BadInput("Elige al menos un permiso de la lista.")
    if ApiToken.Scope.RUNS_DECIDE in wanted and not member.may_decide:
        raise Forbidden
    token = PREFIX + secrets.token_urlsafe(TOKEN_BYTES)
    row = ApiToken.objects.create(
        member=member,
        name=name,
        scopes=wanted,
        token_hash=hashed(token),
        hint=token[:HINT_LENGTH],
        expires_at=Now() + lives if lives is not None else None,
    )
    row.refresh_from_db(fields=["expires_at", "created"])
    return row, token


def live(token: str) -> ApiToken | None:
    """Return the usable row of a token; its end is judged by the database's clock."""
    return (
        ApiToken.objects.select_related("member__user", "member__site")
        .filter(
            Q(expires_at=None) | Q(expires_at__gt=Now()),
            token_hash=hashed(token),
            revoked_at=None,
            member__user__is_active=True,
        )
        .first()
    )


def _note_use(row: ApiToken) -> None:
    """Keep when it was last used, at most once a minute."""
    ApiToken.objects.filter(
        Q(last_used=None) | Q(last_used__lt=Now() - timedelta(minutes=1)), pk=row.pk
    ).update(last_used=Now())


class TokenAuthentication(BaseAuthentication):
    """A bearer token in the header, and nowhere else: addresses end up in logs."""

    def authenticate(self, request: Request) -> tuple[Any, ApiToken]:
        """Return the member's account and the token; raises ``TokenRequired``."""
        token = bearer(request._request)
        row = live(token) if token.startswith(PREFIX) else None
        if row is None:
            raise TokenRequired
        _note_use(row)
        return row.member.user, row


def token_of(request: Request) -> ApiToken:
    """Return the token that a request came with."""
    row: Any = request.auth
    if not isinstance(row, ApiToken):
        raise TokenRequired
    return row


class HasScope(BasePermission):
    """The token's scopes cover what the view's ``scope`` names."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        """Demand the scope; raises ``ScopeMissing`` with its name."""
        scope = str(getattr(view, "scope", ""))
        if scope not in token_of(request).scopes:
            raise ScopeMissing(scope=scope)
        return True


class TokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """How the token is described in OpenAPI."""

    target_class = TokenAuthentication
    name = "ownerToken"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        """Return a bearer scheme."""
        return {
            "type": "http",
            "scheme": "bearer",
            "description": "A member's token from «Llaves de la API» in the admin. "
            "It does what its scopes name, and never more than the member may.",
        }
