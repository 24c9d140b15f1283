"""Whose assistant calls: a member's token, judged anew at each request."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from django.db import connections

from acciones import audit
from acciones.api.owner.throttle import TokenThrottle
from acciones.api.owner.token import PREFIX, ScopeMissing, TokenRequired, live
from acciones.api.owner.view import READS_PER_MINUTE
from acciones.errors import MayaError
from acciones.models import ApiToken, Member

SURFACE = "mcp"
_token: ContextVar[ApiToken] = ContextVar("assistant_token")


class Throttled(MayaError):
    """Demasiadas peticiones en un minuto."""

    code, status = "throttled", 429


class _Requests(TokenThrottle):
    def are_too_many(self, token: ApiToken) -> bool:
        count = self._count(f"{token.pk}:{SURFACE}")
        return count is not None and count > READS_PER_MINUTE


def token_of(headers: Mapping[bytes, str]) -> ApiToken:
    """Return the usable token of a request, from its header and nowhere else.

    Raises ``TokenRequired`` also for what opens other doors (a visitor's session, a
    connection's secret), ``ScopeMissing`` and ``Throttled``.
    """
    scheme, _, text = headers.get(b"authorization", "").partition(" ")
    text = text.strip()
    try:
        is_ours = scheme.lower() == "bearer" and text.startswith(PREFIX)
        row = live(text) if is_ours else None
    finally:
        connections.close_all()
    if row is None:
        raise TokenRequired
    if ApiToken.Scope.RUNS_READ not in row.scopes:
        raise ScopeMissing(scope=ApiToken.Scope.RUNS_READ.value)
    if _Requests().are_too_many(row):
        raise Throttled
    return row


@contextmanager
def acting(token: ApiToken) -> Iterator[None]:
    """Have the tools act for this token's member inside this block."""
    outer = _token.set(token)
    try:
        yield
    finally:
        _token.reset(outer)


def member() -> Member:
    """Return the member that the present call acts for."""
    return _token.get().member


def note(verb: str, *, subject_id: object = "", after: Any = None) -> None:
    """Write into the site's audit what an assistant was shown."""
    mine = member()
    audit.record(
        audit.Kind.VIEW,
        verb,
        surface=SURFACE,
        site=mine.site,
        user=mine.user,
        subject="run",
        subject_id=subject_id,
        after=after,
        note=str(_token.get()),
    )
