"""A database that is away is a 503, whichever library says so."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import InterfaceError, OperationalError

from acciones.models import Site
from agente import turns
from agente.streaming import jsonl
from agente.streaming.access import Visit
from agente.streaming.answer import Unavailable
from agente.streaming.request import Said
from tests.agente.conftest import visitor_of


@pytest.mark.parametrize("kind", [OperationalError, InterfaceError])
def test_a_message_that_cannot_be_stored_may_come_again(
    plain_site: Site, monkeypatch: pytest.MonkeyPatch, kind: Callable[[], Exception]
) -> None:
    def away(**said: Any) -> None:
        raise kind()

    monkeypatch.setattr(turns, "start_message", away)
    visit = Visit(str(visitor_of(plain_site).pk), plain_site.public_id)
    with pytest.raises(Unavailable):
        jsonl._start(visit, Said(plain_site.public_id, None, "m-1", "Hola"))
