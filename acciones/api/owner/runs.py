"""A site's runs, for its members: list, show."""

import uuid
from typing import Any

from django.db.models import QuerySet
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from acciones import audit
from acciones.api.language import language_of
from acciones.errors import BadInput, NotFound
from acciones.models import ApiToken, Member, Run

from . import described, page, written
from .view import OwnerView, member_of, note

FILTERS = {"state", "action", "customer", "target"}
KNOWN = FILTERS | {"limit", "cursor"}


def runs_of(member: Member) -> "QuerySet[Run]":
    """Return the runs of the member's site, ready to be written."""
    return (
        Run.objects.filter(site=member.site_id)
        .select_related(*written.RELATED)
        .prefetch_related(*written.PREFETCHED)
    )


def one(member: Member, run_id: uuid.UUID) -> Run:
    """Return a run of the member's site; any other never existed."""
    run = runs_of(member).filter(pk=run_id).first()
    if run is None:
        raise NotFound
    return run


class Runs(OwnerView):
    """The runs of the token's site."""

    scope = ApiToken.Scope.RUNS_READ

    @extend_schema(
        operation_id="owner_runs_list",
        tags=["owner"],
        parameters=[
            OpenApiParameter("state", str, description="States, comma-separated."),
            OpenApiParameter("action", str, description="An action's name."),
            OpenApiParameter("customer", str, description="The customer's exact id."),
            OpenApiParameter("target", str, description="As in «order:4821»."),
            OpenApiParameter("limit", int, description="1 to 100, else 25."),
            OpenApiParameter("cursor", str, description="«next» of the page before."),
        ],
        responses=described.answers(described.RUNS, 400),
    )
    def get(self, request: Request) -> Response:
        """List runs, the newest first.

        ``next`` continues the list; it is null on the last page. Every call is
        written into the site's audit: it shows personal data.
        """
        member, asked = member_of(request), request.query_params
        if set(asked) - KNOWN:
            raise BadInput(f"Filtros: {', '.join(sorted(KNOWN))}.")
        length = page.size(asked.get("limit", ""))
        found = page.after(narrowed(runs_of(member), asked), asked.get("cursor", ""))
        rows = list(found[: length + 1])
        shown, more = rows[:length], len(rows) > length
        note(
            request, audit.Kind.VIEW, "list", after={"runs": [str(r.pk) for r in shown]}
        )
        language = language_of(request)
        return Response(
            {
                "runs": [
                    written.run(r, member=member, language=language) for r in shown
                ],
                "next": page.cursor_of(shown[-1]) if more else None,
            }
        )


def narrowed(runs: "QuerySet[Run]", asked: Any) -> "QuerySet[Run]":
    """Return the runs that the filters leave; raises ``BadInput``."""
    states = [name for name in asked.get("state", "").split(",") if name]
    if set(states) - set(Run.State.values):
        raise BadInput(f"state: {', '.join(Run.State.values)}.")
    if states:
        runs = runs.filter(state__in=states)
    wanted = {
        "action__name": asked.get("action"),
        "proposal__customer__external_id": asked.get("customer"),
        "target": asked.get("target"),
    }
    if any("\x00" in value for value in wanted.values() if value):
        raise BadInput
    return runs.filter(**{path: value for path, value in wanted.items() if value})


class OneRun(OwnerView):
    """One run of the token's site."""

    scope = ApiToken.Scope.RUNS_READ

    @extend_schema(
        operation_id="owner_runs_show",
        tags=["owner"],
        responses=described.answers(described.SHOWN_RUN, 404),
    )
    def get(self, request: Request, run_id: uuid.UUID) -> Response:
        """Show a run with its dispatches. The site's audit keeps that it was seen."""
        member = member_of(request)
        run = one(member, run_id)
        note(request, audit.Kind.VIEW, "show", subject_id=run.pk)
        body = written.run(run, member=member, language=language_of(request))
        tries = run.tries.order_by("number")
        return Response(body | {"tries": [written.attempt(row) for row in tries]})
