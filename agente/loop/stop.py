"""Stops a turn: whoever is writing it finds out at its next write or heartbeat."""

from uuid import UUID

from django.db import transaction

from acciones.errors import NotFound
from acciones.models import Visitor
from agente.models import Turn

from . import status


def stop(turn_id: UUID | str, visitor: Visitor) -> Turn:
    """End an open turn of this visitor's; an ended one stays as it is."""
    with transaction.atomic():
        turn = (
            Turn.objects.select_for_update()
            .filter(pk=turn_id, conversation__visitor=visitor)
            .first()
        )
        if turn is None:
            raise NotFound
        status.end(turn, Turn.State.STOPPED)
    return turn
