"""The home page's figures: what waits, what is uncertain, how it has gone."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import (
    Aggregate,
    Count,
    DurationField,
    ExpressionWrapper,
    F,
    Max,
    Min,
    Q,
    QuerySet,
)
from django.db.models.functions import Now
from django.utils import timezone

from acciones.models import Attempt, Run

from . import wording
from .chart import DAYS, Chart, chart
from .reach import Reach
from .requests import waiting

SHOWN_UNCERTAIN = 5
HEALTH_HOURS = 24


class Median(Aggregate):
    """PostgreSQL's continuous median of durations."""

    function = "PERCENTILE_CONT"
    template = "%(function)s(0.5) WITHIN GROUP (ORDER BY %(expressions)s)"
    output_field = DurationField()


@dataclass(frozen=True)
class Figures:
    """What the home page shows."""

    waiting: int
    oldest: str
    uncertain: list[Run]
    uncertain_count: int
    chart: Chart
    median: str
    endpoints: list[dict[str, Any]]


def figures(mine: Reach) -> Figures:
    """Count what is within reach; seven queries."""
    wait = waiting(mine).order_by().aggregate(n=Count("pk"), oldest=Min("confirmed_at"))
    uncertain = mine.narrow(unclear(), "site_id")
    return Figures(
        waiting=wait["n"],
        oldest=_age(wait["oldest"]),
        uncertain=list(
            uncertain.select_related("action").order_by("-created")[:SHOWN_UNCERTAIN]
        ),
        uncertain_count=uncertain.count(),
        chart=chart(mine.narrow(finished(), "site_id")),
        median=_median(mine),
        endpoints=endpoints(mine),
    )


def unclear() -> "QuerySet[Run]":
    """Return the runs whose outcome nobody knows: these come first."""
    recently = Q(finished_at__gte=Now() - timedelta(days=DAYS))
    lost = Q(state=Run.State.FAILED, certain=False) & recently
    return Run.objects.filter(Q(state=Run.State.UNKNOWN) | lost)


def finished() -> "QuerySet[Run]":
    """Return the runs that ended within the chart's days."""
    return Run.objects.filter(finished_at__gte=Now() - timedelta(days=DAYS))


def endpoints(mine: Reach) -> list[dict[str, Any]]:
    """Return each connection's attempts of the last day, the troubled ones first."""
    since = Now() - timedelta(hours=HEALTH_HOURS)
    attempts = mine.narrow(Attempt.objects.filter(started__gte=since), "run__site_id")
    rows: Any = (
        attempts.values(name=F("run__action__connection__name"))
        .annotate(
            sent=Count("pk"),
            answered=Count("pk", filter=Q(verdict__in=["done", "pending", "failed"])),
            refused=Count("pk", filter=Q(verdict=Attempt.Verdict.REFUSED)),
            uncertain=Count("pk", filter=Q(verdict=Attempt.Verdict.UNCERTAIN)),
            last=Max("started"),
        )
        .order_by("-uncertain", "-refused", "name")[:10]
    )
    return list(rows)


def _median(mine: Reach) -> str:
    took = ExpressionWrapper(
        F("decided_at") - F("confirmed_at"), output_field=DurationField()
    )
    decided = mine.narrow(
        Run.objects.filter(decided_at__gte=Now() - timedelta(days=DAYS)), "site_id"
    )
    median = decided.aggregate(median=Median(took))["median"]
    return wording.span(median) if median is not None else ""


def _age(moment: datetime | None) -> str:
    return wording.span(timezone.now() - moment) if moment else ""
