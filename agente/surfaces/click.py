"""Receives clicks on generated surfaces: their names decide what they mean."""

from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models.functions import Now
from django.utils.translation import gettext, override

from acciones import events
from acciones.errors import BadInput, Expired, MayaError
from acciones.models import (
    Action,
    AppliedAction,
    Conversation,
    Event,
    Run,
    Visitor,
)
from acciones.steps import offer
from acciones.steps.expire import expire
from acciones.steps.lock import lock_offers
from acciones.steps.propose import propose
from agente import evidence, say
from agente.models import Outcome, Turn
from agente.queue import (
    TABLE,
    StartedTurn,
    create_turn,
    enqueue,
    finish,
    open_conversation,
)
from maya.lib import canonical

from . import wire
from .wire import Click

LOCAL, CHOICE = "ver_", "elegir_"


class KeyRequired(MayaError):
    """Este botón cambia algo: falta «idempotencyKey»."""

    code, status = "idempotency_key_required", 400


class KeyReused(MayaError):
    """Esa «idempotencyKey» ya se usó con otro contenido."""

    code, status = "idempotency_key_reused", 422


class ActionInFlight(MayaError):
    """Esa acción todavía está en curso."""

    code, status = "action_in_flight", 409


def receive(
    *,
    visitor: Visitor,
    conversation_id: UUID,
    action: dict[str, Any],
    version: str | None,
) -> StartedTurn:
    """Store a click once and start what it means; see ``turns.start_action``."""
    click = wire.read(action, version)
    if click.name.startswith(LOCAL):
        raise BadInput("Las acciones «ver_…» son de la pantalla: no se envían.")
    change = Action.objects.filter(
        site_id=visitor.site_id, kind=Action.Kind.CHANGE, name=click.name
    ).first()
    if change is not None and not click.key:
        raise KeyRequired
    try:
        with transaction.atomic():
            if change is not None:
                lock_offers(conversation_id)
            conversation = open_conversation(visitor, conversation_id)
            applied = _apply_once(visitor, conversation, click)
            if isinstance(applied, StartedTurn):
                return applied
            started = _start(conversation, click, change)
            _remember(applied, started)
            return started
    except Expired:
        # The refusal undid the click with all that it wrote; the expiry must stay
        _expire_offers(conversation_id)
        raise


def _apply_once(
    visitor: Visitor, conversation: Conversation, click: Click
) -> AppliedAction | StartedTurn | None:
    """Take the click's key, or return what an earlier click with it started."""
    if not click.key:
        return None
    content = canonical.sha256({"conversation": str(conversation.pk), **click.told()})
    applied, is_new = AppliedAction.objects.get_or_create(
        site_id=visitor.site_id,
        visitor=visitor,
        key=click.key,
        defaults={"payload_hash": content},
    )
    return applied if is_new else _again(applied, content)


def _again(applied: AppliedAction, content: str) -> StartedTurn:
    if applied.payload_hash != content:
        raise KeyReused
    turn = applied.turn_id and Turn.objects.filter(pk=applied.turn_id).first()
    if not turn or turn.is_open:
        raise ActionInFlight
    if applied.lines is None:
        applied.lines = told_in(turn)
        applied.save(update_fields=["lines"])
    return StartedTurn(
        turn.conversation_id, turn.id, turn.position, replay=applied.lines
    )


def told_in(turn: Turn) -> list[dict[str, Any]]:
    """Return the envelopes of a finished turn, and what it set off between them."""
    of_conversation = Event.objects.filter(
        conversation_id=turn.conversation_id, position__gt=turn.position
    )
    last = of_conversation.filter(run_id=turn.id).order_by("-seq").first()
    if last is None:
        return []
    told = of_conversation.filter(position__lte=last.position).order_by("position")
    return [event.envelope() for event in told]


def _expire_offers(conversation_id: UUID) -> None:
    overdue = Run.objects.filter(
        conversation_id=conversation_id,
        state=Run.State.REQUESTED,
        expires_at__lte=Now(),
    )
    for run_id in overdue.values_list("pk", flat=True):
        expire(run_id)


def _remember(applied: AppliedAction | None, started: StartedTurn) -> None:
    if applied is not None:
        applied.turn_id = started.turn_id
        applied.save(update_fields=["turn_id"])


def _start(
    conversation: Conversation, click: Click, change: Action | None
) -> StartedTurn:
    turn = create_turn(conversation, Turn.Kind.ACTION, click.told())
    if click.name.startswith(CHOICE):
        events.append(TABLE, turn.id, type="choice.recorded", payload=click.told())
        return finish(turn)
    events.append(TABLE, turn.id, type="action.received", payload=click.told())
    if change is None:
        return enqueue(turn)
    _change(conversation, turn, click, change)
    return finish(turn)


def _change(
    conversation: Conversation, turn: Turn, click: Click, change: Action
) -> None:
    """Confirm exactly the offer on screen, or propose anew what was clicked."""
    run = offer.claim(
        conversation=conversation,
        visitor=conversation.visitor,
        surface_id=click.surface_id,
        component_id=click.component_id,
        context=click.context,
        action_name=change.name,
    )
    if run is None:
        run = propose(
            conversation=conversation,
            action=change,
            arguments=click.context,
            evidence=evidence.gather(conversation, change, click.context),
        )
        with override(conversation.site.language):
            text = gettext(say.PROPOSED_ANEW).format(title=change.title)
        say.as_application(turn, text)
    Outcome.objects.get_or_create(run=run)
