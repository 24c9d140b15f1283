"""Offer: ties a surface's button to the proposal that it shows."""

from typing import Any

from acciones.errors import NotFound
from acciones.models import Conversation, Offer, Run, Visitor
from maya.lib import canonical

from .confirm import accept


def offer(
    *, run: Run, surface_id: str, component_id: str, context: dict[str, Any]
) -> Offer:
    """Store that a button with this resolved context stands for this run."""
    return Offer.objects.create(
        conversation_id=run.conversation_id,
        visitor_id=run.visitor_id,
        surface_id=surface_id,
        component_id=component_id,
        context_hash=canonical.sha256(context),
        run=run,
    )


def claim(
    *,
    conversation: Conversation,
    visitor: Visitor,
    surface_id: str,
    component_id: str,
    context: dict[str, Any],
    action_name: str,
) -> Run | None:
    """Confirm the run that was offered by exactly this button and context.

    Returns None when no such offer is open: then a click is no confirmation and
    must become a new proposal. Raises what ``confirm`` raises.
    """
    found = (
        Offer.objects.filter(
            conversation=conversation,
            visitor=visitor,
            surface_id=surface_id,
            component_id=component_id,
            context_hash=canonical.sha256(context),
            run__action__name=action_name,
        )
        .select_related("run__proposal", "run__conversation")
        .order_by("-created", "-pk")
        .first()
    )
    if found is None or found.run.reason == "replaced":
        return None
    if found.run.visitor_id != visitor.pk:
        raise NotFound
    return accept(found.run, visitor, surface="surface")
