"""Shows a surface of the site, or brings the one on screen up to date.

Buttons that name a change are offers: their proposal is made here, when they are
shown and each time their values change, so that a click can confirm exactly it.
"""

from collections.abc import Iterator
from typing import Any

from django.db import transaction

from acciones import events
from acciones.errors import MayaError
from acciones.models import Action, Conversation
from acciones.steps.offer import offer
from acciones.steps.propose import propose
from agente.evidence import gather
from agente.models import Outcome, SurfaceTemplate, ToolCall, Turn
from agente.queue import TABLE

from . import catalogue, values

PREFIX = "show_"
SHOWN = "shown"
SURFACE = "a2ui"


class Invalid(ValueError):
    """The surface is no valid A2UI: a template that must be mended."""


def show(template: SurfaceTemplate, turn: Turn, conversation: Conversation) -> None:
    """Emit the surface with the newest readings, and offer what its buttons name.

    Raises ``values.Missing`` when a reading was not made, or ``Invalid``.
    """
    data = values.model(template.values, values.readings(conversation))
    messages = list(_messages(template, conversation, data))
    for message in messages:
        if wrong := catalogue.problem(message):
            raise Invalid(wrong)
    for component in template.components:
        _offer(template, conversation, component, data)
    for message in messages:
        events.append(
            TABLE, turn.pk, type="surface.updated", payload={"message": message}
        )


def _messages(
    template: SurfaceTemplate, conversation: Conversation, data: dict[str, Any]
) -> Iterator[dict[str, Any]]:
    surface = {"surfaceId": template.surface_id}
    if _is_on_screen(template, conversation):
        # Only what was read anew: a chosen tab or option stays as the person left it
        for key, declared in template.values.items():
            if values.is_read(declared):
                yield _message(
                    "updateDataModel", surface | {"path": f"/{key}", "value": data[key]}
                )
        return
    yield _message("createSurface", surface | {"catalogId": catalogue.CATALOGUE_ID})
    yield _message("updateComponents", surface | {"components": template.components})
    yield _message("updateDataModel", surface | {"path": "/", "value": data})


def _message(kind: str, body: dict[str, Any]) -> dict[str, Any]:
    return {"version": catalogue.VERSION, kind: body}


def _is_on_screen(template: SurfaceTemplate, conversation: Conversation) -> bool:
    return ToolCall.objects.filter(
        turn__conversation=conversation,
        name=f"{PREFIX}{template.name}",
        state=ToolCall.State.DONE,
        result__status=SHOWN,
    ).exists()


def _offer(
    template: SurfaceTemplate,
    conversation: Conversation,
    component: dict[str, Any],
    data: dict[str, Any],
) -> None:
    event = component.get("action", {}).get("event")
    change = (
        event
        and Action.objects.filter(
            site=template.site, kind=Action.Kind.CHANGE, name=event["name"]
        )
        .select_related("connection")
        .first()
    )
    if not change:
        return
    clicked = values.context(event.get("context", {}), data)
    try:
        with transaction.atomic():
            run = propose(
                conversation=conversation,
                action=change,
                arguments=clicked,
                evidence=gather(conversation, change, clicked),
                surface=SURFACE,
            )
            Outcome.objects.create(run=run)
            offer(
                run=run,
                surface_id=template.surface_id,
                component_id=component["id"],
                context=clicked,
            )
    except MayaError:
        # Nothing to confirm: a click will say why, as any new proposal would
        return
