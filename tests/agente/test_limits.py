"""What one visitor may ask for is bounded."""

from typing import Any

import pytest

from acciones.models import Event
from agente.models import Message, Turn
from agente.queue import TooManyTurns

from .talk import Talk


def test_a_visitor_who_asks_too_fast_is_told_to_wait(ana: Talk, settings: Any) -> None:
    settings.MAYA_TURNS_PER_MINUTE = 2
    ana.type("hola")
    ana.type("hola otra vez")
    stored = Message.objects.count(), Turn.objects.count(), Event.objects.count()
    with pytest.raises(TooManyTurns):
        ana.type("y otra")
    assert stored == (
        Message.objects.count(),
        Turn.objects.count(),
        Event.objects.count(),
    )
    Turn.objects.update(
        created=Turn.objects.earliest("created").created.replace(year=2020)
    )
    assert ana.type("y ahora")
