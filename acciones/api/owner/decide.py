"""A member's yes or no by the API: the same steps as everywhere, on a digest."""

import uuid
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from acciones import audit
from acciones.api.language import language_of
from acciones.api.parsers import json_body
from acciones.errors import BadInput, MayaError
from acciones.models import ApiToken
from acciones.steps.approve import approve
from acciones.steps.decide import REASON_LENGTH
from acciones.steps.reject import reject

from . import described, written
from .runs import one
from .view import DECISIONS_PER_MINUTE, OwnerView, member_of, note

SURFACE = "api"


class DecisionView(OwnerView):
    """What approving and rejecting have in common."""

    scope = ApiToken.Scope.RUNS_DECIDE
    throttle_name = "decide"
    per_minute = DECISIONS_PER_MINUTE

    def decide(self, request: Request, run_id: uuid.UUID, step: Any) -> Response:
        """Run the step; a refusal says how the run stands."""
        member = member_of(request)
        digest, reason = _read(request)
        language = language_of(request)
        one(member, run_id)
        try:
            step(run_id, member=member, surface=SURFACE, digest=digest, reason=reason)
        except MayaError as error:
            if error.status == 403:
                note(request, audit.Kind.ACCESS, "api.refused", subject_id=run_id)
            if error.status == 409:
                now = one(member, run_id)
                error.extra["run"] = written.run(now, member=member, language=language)
            raise
        now = one(member, run_id)
        return Response(written.run(now, member=member, language=language))


def _read(request: Request) -> tuple[str, str]:
    data = json_body(request)
    if set(data) - {"digest", "reason"} or "digest" not in data:
        raise BadInput("Campos: digest y, si quieres, reason.")
    digest, reason = data["digest"], data.get("reason", "")
    if not isinstance(digest, str) or not isinstance(reason, str):
        raise BadInput("digest y reason son textos.")
    # Cut reasons would put words into somebody's mouth
    if len(reason) > REASON_LENGTH or "\x00" in reason:
        raise BadInput(f"reason tiene {REASON_LENGTH} caracteres como máximo.")
    return digest, reason.strip()


class Approve(DecisionView):
    """A yes."""

    @extend_schema(
        operation_id="owner_runs_approve",
        tags=["owner"],
        request=described.DECISION,
        responses=described.answers(described.RUN, 400, 404, 409),
        examples=described.DECISION_EXAMPLES,
    )
    def post(self, request: Request, run_id: uuid.UUID) -> Response:
        """Approve exactly the content with this digest.

        Each member decides once; the last approval of the quorum queues the run.
        Answers 409 with the run as it is when somebody was faster (``wrong_state``),
        its time is over (``expired``), this member has decided (``already_decided``)
        or the digest is another one (``digest_mismatch``).
        """
        return self.decide(request, run_id, approve)


class Reject(DecisionView):
    """A no."""

    @extend_schema(
        operation_id="owner_runs_reject",
        tags=["owner"],
        request=described.DECISION,
        responses=described.answers(described.RUN, 400, 404, 409),
        examples=described.DECISION_EXAMPLES,
    )
    def post(self, request: Request, run_id: uuid.UUID) -> Response:
        """Reject: nothing is sent; the reason stays with the site's members."""
        return self.decide(request, run_id, reject)
