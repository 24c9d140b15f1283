"""Writes the audit, in the transaction of what it tells about.

A middleware notes where a request comes from, so that a step deep down can say the
address without every function on the way passing it on.
"""

from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from asgiref.sync import iscoroutinefunction, markcoroutinefunction
from django.db.models import Model
from django.http import HttpRequest, HttpResponse

from .models import AuditEntry, Site

Kind = AuditEntry.Kind
SECRET_WORDS = ("secret", "sealed", "token", "hash", "password")
HIDDEN = "…"
_address: ContextVar[str] = ContextVar("audit_address", default="")


def record(
    kind: str,
    verb: str,
    *,
    surface: str,
    site: Site | None = None,
    user: Any = None,
    who: str = "",
    subject: str = "",
    subject_id: object = "",
    before: Mapping[str, Any] | None = None,
    after: Mapping[str, Any] | None = None,
    note: str = "",
    address: str = "",
) -> AuditEntry:
    """Append one entry to the audit.

    ``user`` is the account that acted; ``who`` names somebody who has none. ``verb``
    is a stable word such as ``approve`` or ``rotate``. ``before`` and ``after`` hold
    what JSON can hold; whatever is named like a secret is written as ``…``.
    """
    name = who or (str(user.get_username()) if user is not None else "maya")
    return AuditEntry.objects.create(
        kind=kind,
        verb=verb,
        surface=surface,
        site=site,
        site_name=site.public_id if site is not None else "",
        user_id=user.pk if user is not None else None,
        who=name[:200],
        subject=subject,
        subject_id=str(subject_id),
        before=_without_secrets(before),
        after=_without_secrets(after),
        note=note[:300],
        address=(address or _address.get())[:64],
    )


def _without_secrets(values: Mapping[str, Any] | None) -> dict[str, Any] | None:
    if values is None:
        return None
    return {
        key: HIDDEN if any(word in key.lower() for word in SECRET_WORDS) else value
        for key, value in values.items()
    }


def fields_of(row: Model) -> dict[str, Any]:
    """Return a row's fields as the audit keeps them: plain values, no bytes."""
    return {
        field.attname: _plain(getattr(row, field.attname))
        for field in row._meta.concrete_fields
    }


def _plain(value: Any) -> Any:
    if isinstance(value, bytes | memoryview):
        return HIDDEN
    if value is None or isinstance(value, str | bool | int | float | list | dict):
        return value
    return str(value)


@contextmanager
def coming_from(address: str) -> Iterator[None]:
    """Have the entries written inside this block say that address."""
    outer = _address.set(address)
    try:
        yield
    finally:
        _address.reset(outer)


class AddressMiddleware:
    """Notes the address that each request comes from, in either kind of server."""

    sync_capable = async_capable = True

    def __init__(self, get_response: Callable[[HttpRequest], Any]) -> None:
        self.get_response = get_response
        self.is_async = bool(iscoroutinefunction(get_response))
        if self.is_async:
            markcoroutinefunction(self)

    def __call__(self, request: HttpRequest) -> HttpResponse | Awaitable[HttpResponse]:
        """Answer the request with its address at hand."""
        if self.is_async:
            return self._answer_later(request)
        with coming_from(address_of(request)):
            response: HttpResponse = self.get_response(request)
            return response

    async def _answer_later(self, request: HttpRequest) -> HttpResponse:
        with coming_from(address_of(request)):
            response: HttpResponse = await self.get_response(request)
            return response


def address_of(request: HttpRequest) -> str:
    """Return the address of a request as the server saw it.

    A forwarded header is the server's to judge (``uvicorn --proxy-headers``): taken
    here, anybody could write any address into the audit.
    """
    return str(request.META.get("REMOTE_ADDR", ""))
