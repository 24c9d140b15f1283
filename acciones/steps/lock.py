"""Lock: a conversation's open offers, before the conversation itself."""

from uuid import UUID

from django.db import connection

from acciones.models import Run


def lock_offers(conversation_id: UUID | str) -> None:
    """Let one at a time offer or replace something in a conversation.

    Whoever confirms takes run before conversation, and so must whoever replaces. The
    first lock is taken by everybody who offers: until it is given back, no offer can
    come that was not locked here. Call it inside a transaction, before any lock on the
    conversation.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_advisory_xact_lock(hashtextextended(%s, 4821))",
            [str(conversation_id)],
        )
    open_runs = Run.objects.select_for_update().filter(
        conversation_id=conversation_id, state=Run.State.REQUESTED
    )
    list(open_runs.order_by("pk").values_list("pk", flat=True))
