"""What every view of the owner API shares."""

from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from acciones import audit
from acciones.models import Member

from .throttle import TokenThrottle
from .token import HasScope, TokenAuthentication, token_of

READS_PER_MINUTE = 120
DECISIONS_PER_MINUTE = 60


class OwnerView(APIView):
    """A view for one member's token; ``scope`` is what it takes."""

    authentication_classes = [TokenAuthentication]
    permission_classes = [HasScope]
    throttle_classes = [TokenThrottle]
    throttle_name = "read"
    per_minute = READS_PER_MINUTE
    scope = ""

    def finalize_response(
        self, request: Request, response: Response, *args: Any, **kwargs: Any
    ) -> Response:
        """Keep answers out of caches, and say how one signs in (RFC 9110)."""
        answer = super().finalize_response(request, response, *args, **kwargs)
        answer["Cache-Control"] = "no-store"
        if answer.status_code == 401:
            answer["WWW-Authenticate"] = 'Bearer realm="maya"'
        return answer


def member_of(request: Request) -> Member:
    """Return the member whose token came along."""
    return token_of(request).member


def note(
    request: Request,
    kind: str,
    verb: str,
    *,
    subject_id: object = "",
    after: dict[str, Any] | None = None,
) -> None:
    """Write into the audit what a token was used for."""
    member = member_of(request)
    audit.record(
        kind,
        verb,
        surface="api",
        site=member.site,
        user=member.user,
        subject="run",
        subject_id=subject_id,
        after=after,
        note=str(token_of(request)),
    )
