"""Works through a list of rows in which one that breaks must not hold up the others."""

import logging
from collections.abc import Callable, Iterable
from typing import TypeVar

Row = TypeVar("Row")
Result = TypeVar("Result")

logger = logging.getLogger(__name__)


def each(work: Callable[[Row], Result], rows: Iterable[Row]) -> list[Result]:
    """Do the work for every row and return what it gave; what it raises is logged."""
    given: list[Result] = []
    for row in rows:
        try:
            given.append(work(row))
        except Exception:
            logger.exception("%s broke on %s", work.__name__, row)
    return given
