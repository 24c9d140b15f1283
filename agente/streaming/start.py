"""Starts a turn for a stream: in a thread, for as long as one transaction takes."""

from collections.abc import Callable
from typing import TypeVar

from django.db import InterfaceError, OperationalError, connections

from acciones.models import Visitor

from .access import Visit
from .answer import Unavailable

Started = TypeVar("Started")


def for_visitor(visit: Visit, start: Callable[[Visitor], Started]) -> Started:
    """Call ``start`` with the visitor's row, and leave no connection behind.

    Raises ``Unavailable`` where the database does not answer.
    """
    try:
        visitor = Visitor.objects.select_related("site", "customer").get(
            pk=visit.visitor_id
        )
        return start(visitor)
    except (OperationalError, InterfaceError) as error:
        # Django's, which are not psycopg's: nothing was stored, so it can come again
        raise Unavailable from error
    finally:
        connections.close_all()
