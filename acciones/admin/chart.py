"""Runs by outcome and day, as the numbers of a small stacked bar chart."""

from collections import defaultdict
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from django.db.models import Case, CharField, Count, QuerySet, Value, When
from django.db.models.functions import TruncDate
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from acciones.models import Run

DAYS = 14
HEIGHT = 120
STEP = 36
BAR = 24

OUTCOMES: dict[str, Any] = {
    "success": _("completadas"),
    "warning": _("sin confirmar"),
    "danger": _("fallidas"),
    "neutral": _("no se hicieron"),
}
OUTCOME = Case(
    When(state=Run.State.DONE, then=Value("success")),
    When(state=Run.State.FAILED, certain=False, then=Value("warning")),
    When(state=Run.State.FAILED, then=Value("danger")),
    default=Value("neutral"),
    output_field=CharField(),
)


@dataclass(frozen=True)
class Part:
    """One outcome of one day; ``y`` and ``height`` in the drawing's units."""

    tone: str
    y: int
    height: int


@dataclass(frozen=True)
class Day:
    """One bar, and its row in the table that says the same."""

    day: date
    x: int
    label_x: int
    counts: list[int]
    total: int
    parts: list[Part]


@dataclass(frozen=True)
class Chart:
    """The drawing's measures and its bars."""

    days: list[Day]
    outcomes: list[tuple[str, Any]]
    total: int
    width: int = DAYS * STEP
    base: int = HEIGHT
    height: int = HEIGHT + 22
    bar: int = BAR


def chart(runs: "QuerySet[Run]") -> Chart:
    """Count finished runs by day and outcome: one query."""
    counted: dict[date, dict[str, int]] = defaultdict(dict)
    for row in (
        runs.order_by()
        .values(day=TruncDate("finished_at"), outcome=OUTCOME)
        .annotate(n=Count("pk"))
    ):
        counted[row["day"]][row["outcome"]] = row["n"]
    today = timezone.localdate()
    days = [today - timedelta(days=back) for back in reversed(range(DAYS))]
    highest = max([1, *(sum(counted[day].values()) for day in days)])
    drawn = [_day(day, at, counted[day], highest) for at, day in enumerate(days)]
    return Chart(
        days=drawn,
        outcomes=list(OUTCOMES.items()),
        total=sum(day.total for day in drawn),
    )


def _day(day: date, at: int, counts: dict[str, int], highest: int) -> Day:
    parts, top = [], HEIGHT
    for tone in OUTCOMES:
        height = round(counts.get(tone, 0) * HEIGHT / highest)
        top -= height
        if height:
            parts.append(Part(tone, top, height))
    x = at * STEP + (STEP - BAR) // 2
    return Day(
        day=day,
        x=x,
        label_x=x + BAR // 2,
        counts=[counts.get(tone, 0) for tone in OUTCOMES],
        total=sum(counts.values()),
        parts=parts,
    )
