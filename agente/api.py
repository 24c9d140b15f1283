"""Addresses under /api/ that the talker answers itself; streams are elsewhere."""

from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from acciones.api import shapes
from acciones.api.runs import VisitorView
from acciones.api.session import sessions
from acciones.errors import NotFound
from agente.loop.stop import stop
from agente.models import Turn

STOPPED = {
    "type": "object",
    "properties": {
        "turn": {"type": "string", "format": "uuid"},
        "state": {"type": "string"},
    },
    "required": ["turn", "state"],
}


class Stop(VisitorView):
    """Stops a turn of the visitor's."""

    @extend_schema(
        operation_id="turns_stop",
        request=shapes.EMPTY,
        responses={200: STOPPED, 401: shapes.PROBLEM, 404: shapes.PROBLEM},
    )
    def post(self, request: Request, turn_id: UUID) -> Response:
        """Stop the answer; one that has ended stays as it ended."""
        people = sessions(request)
        turn = (
            Turn.objects.filter(pk=turn_id, conversation__visitor__in=people)
            .select_related("conversation__visitor")
            .first()
        )
        if turn is None:
            raise NotFound
        stopped = stop(turn_id, turn.conversation.visitor)
        return Response({"turn": str(stopped.pk), "state": stopped.state})
