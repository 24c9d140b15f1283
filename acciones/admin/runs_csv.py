"""The runs list as CSV, for a spreadsheet or an auditor."""

import csv
from typing import Any

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from acciones.models import Run
from maya.lib.shown import visible

from . import wording
from .trail import viewed

MOST_ROWS = 10_000
COLUMNS = [
    "id",
    "sitio",
    "accion",
    "registro",
    "estado",
    "certeza",
    "referencia",
    "cliente",
    "importe_minimo",
    "moneda",
    "ofrecida",
    "confirmada",
    "decidida",
    "terminada",
]
FORMULA = ("=", "+", "-", "@", "\t", "\r")


def export(request: HttpRequest, runs: "QuerySet[Run]") -> HttpResponse:
    """Return the newest runs of a filtered list as a CSV file."""
    rows = list(runs[:MOST_ROWS])
    viewed(request, "csv", rows)
    response = HttpResponse(content_type="text/csv; charset=utf-8")
    name = timezone.now().strftime("ejecuciones-%Y%m%d-%H%M.csv")
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    writer = csv.writer(response)
    writer.writerow(COLUMNS)
    writer.writerows([[_cell(value) for value in _values(run)] for run in rows])
    return response


def _values(run: Run) -> list[Any]:
    proposal, customer = run.proposal, run.proposal.customer
    times = (run.created, run.confirmed_at, run.decided_at, run.finished_at)
    return [
        run.pk,
        run.site.public_id,
        run.action.name,
        run.target,
        wording.state(run),
        {True: "sí", False: "no", None: ""}[run.certain],
        run.reference,
        customer.external_id if customer else "",
        "" if proposal.amount_minor is None else proposal.amount_minor,
        proposal.currency,
        *(at.isoformat() if at else "" for at in times),
    ]


def _cell(value: Any) -> str:
    """Return a cell that no spreadsheet takes for a formula."""
    text = visible(str(value))
    return f"'{text}" if text.startswith(FORMULA) else text
