"""A database that is away is a 503, whichever library says so."""

from collections.abc import Callable

import pytest
from django.db import InterfaceError, OperationalError

from acciones.models import Site, Visitor
from agente.streaming import start
from agente.streaming.access import Visit
from agente.streaming.answer import Unavailable
from tests.agente.conftest import visitor_of


@pytest.mark.parametrize("kind", [OperationalError, InterfaceError])
def test_a_message_that_cannot_be_stored_may_come_again(
    plain_site: Site, kind: Callable[[], Exception]
) -> None:
    def away(visitor: Visitor) -> None:
        raise kind()

    visit = Visit(str(visitor_of(plain_site).pk), plain_site.public_id)
    with pytest.raises(Unavailable):
        start.for_visitor(visit, away)
