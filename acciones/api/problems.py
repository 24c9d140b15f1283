"""Answers every error as problem+json (RFC 9457) with a stable code."""

from typing import Any

from rest_framework import exceptions
from rest_framework.response import Response
from rest_framework.views import exception_handler

from acciones.errors import MayaError

MEDIA_TYPE = "application/problem+json"

CODES: dict[type[Exception], str] = {
    exceptions.ParseError: "bad_json",
    exceptions.UnsupportedMediaType: "unsupported_media_type",
    exceptions.NotAuthenticated: "session_required",
    exceptions.AuthenticationFailed: "session_required",
    exceptions.PermissionDenied: "forbidden",
    exceptions.MethodNotAllowed: "method_not_allowed",
    exceptions.NotAcceptable: "not_acceptable",
    exceptions.Throttled: "throttled",
    exceptions.NotFound: "not_found",
}


def body(error: MayaError) -> dict[str, Any]:
    """Return the problem document of one of our errors."""
    return {
        "type": f"urn:maya:{error.code}",
        "title": (type(error).__doc__ or error.code).strip(),
        "status": error.status,
        "code": error.code,
        "detail": error.detail,
        **error.extra,
    }


def problem(error: Exception, context: dict[str, Any]) -> Response | None:
    """DRF's exception handler: ours, DRF's and Django's errors in one shape."""
    if isinstance(error, MayaError):
        return Response(body(error), status=error.status, content_type=MEDIA_TYPE)
    response = exception_handler(error, context)
    if response is None:
        return None
    code = next(
        (code for kind, code in CODES.items() if isinstance(error, kind)), "not_found"
    )
    detail = str(getattr(error, "detail", "")) or code
    response.data = {
        "type": f"urn:maya:{code}",
        "title": detail,
        "status": response.status_code,
        "code": code,
        "detail": detail,
    }
    response.content_type = MEDIA_TYPE
    return response
