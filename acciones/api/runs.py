"""Receipts, confirmation and cancellation, for the visitor whose runs they are."""

import uuid
from typing import Any

from django.db.models import QuerySet
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from acciones.errors import BadInput, MayaError, NotFound
from acciones.models import Run, Visitor
from acciones.receipt import receipt, related
from acciones.steps.cancel import cancel
from acciones.steps.confirm import confirm

from . import shapes
from .language import language_of
from .parsers import json_body
from .session import sessions

MAXIMUM_IDS = 100


def own_runs(people: list[Visitor]) -> QuerySet[Run]:
    """Return the runs of these visitors, ready to be written as receipts."""
    return (
        Run.objects.filter(visitor__in=people)
        .select_related(*related())
        .prefetch_related("proposal__evidence")
    )


def one(people: list[Visitor], run_id: uuid.UUID) -> Run:
    """Return a visitor's run; anybody else's looks like one that never existed."""
    run = own_runs(people).filter(pk=run_id).first()
    if run is None:
        raise NotFound
    return run


class VisitorView(APIView):
    """A view for visitors: sessions are judged in ``sessions``, not by DRF."""

    permission_classes: list[Any] = []


class ReceiptList(VisitorView):
    """Several receipts in one request."""

    @extend_schema(
        operation_id="runs_list",
        parameters=[OpenApiParameter("ids", str, description="UUIDs, comma-separated")],
        responses={200: shapes.RECEIPTS, 400: shapes.PROBLEM, 401: shapes.PROBLEM},
    )
    def get(self, request: Request) -> Response:
        """Return the receipts among ``ids`` that are the visitor's own."""
        people = sessions(request)
        ids = _ids(request.query_params.get("ids", ""))
        found = own_runs(people).filter(pk__in=ids)
        language = language_of(request)
        return Response(
            {
                "runs": [
                    receipt(run, language=language, can_confirm=True) for run in found
                ]
            }
        )


def _ids(text: str) -> list[uuid.UUID]:
    parts = [part for part in text.split(",") if part]
    if not parts or len(parts) > MAXIMUM_IDS:
        raise BadInput(f"Indica entre 1 y {MAXIMUM_IDS} ids.")
    try:
        return [uuid.UUID(part) for part in parts]
    except ValueError as error:
        raise BadInput("ids debe ser una lista de UUID.") from error


class Receipt(VisitorView):
    """One receipt."""

    @extend_schema(
        responses={200: shapes.RECEIPT, 401: shapes.PROBLEM, 404: shapes.PROBLEM}
    )
    def get(self, request: Request, run_id: uuid.UUID) -> Response:
        """Return the receipt, and the confirmation token while it is on offer."""
        run = one(sessions(request), run_id)
        return Response(receipt(run, language=language_of(request), can_confirm=True))


class Confirm(VisitorView):
    """The customer's yes."""

    @extend_schema(
        request=shapes.CONFIRM,
        responses={
            200: shapes.RECEIPT,
            401: shapes.PROBLEM,
            404: shapes.PROBLEM,
            409: shapes.PROBLEM,
        },
    )
    def post(self, request: Request, run_id: uuid.UUID) -> Response:
        """Confirm exactly what the token's proposal shows."""
        people = sessions(request)
        run = one(people, run_id)
        data = json_body(request)
        if set(data) != {"token"}:
            raise BadInput("Envía solo «token».")
        return _answer(
            request,
            people,
            run,
            lambda: confirm(run.pk, _visitor(people, run), token=data["token"]),
        )


class Cancel(VisitorView):
    """The customer's no."""

    @extend_schema(
        request=shapes.EMPTY,
        responses={
            200: shapes.RECEIPT,
            401: shapes.PROBLEM,
            404: shapes.PROBLEM,
            409: shapes.PROBLEM,
        },
    )
    def post(self, request: Request, run_id: uuid.UUID) -> Response:
        """Cancel an open offer."""
        people = sessions(request)
        run = one(people, run_id)
        if json_body(request):
            raise BadInput("Este cuerpo va vacío: {}.")
        return _answer(
            request, people, run, lambda: cancel(run.pk, _visitor(people, run))
        )


def _visitor(people: list[Visitor], run: Run) -> Visitor:
    return next(visitor for visitor in people if visitor.pk == run.visitor_id)


def _answer(request: Request, people: list[Visitor], run: Run, step: Any) -> Response:
    """Run a step; a refusal carries the receipt as it is now."""
    language = language_of(request)
    try:
        step()
    except MayaError as error:
        if error.status == 409:
            now = one(people, run.pk)
            error.extra["receipt"] = receipt(now, language=language, can_confirm=True)
        raise
    return Response(receipt(one(people, run.pk), language=language, can_confirm=True))
