"""``show_*``: shows a surface of the site, or brings the one on screen up to date.

Buttons that name a change are offers: their proposal is made here, when they are
shown and each time their values change, so that a click can confirm exactly it.
"""

from collections.abc import Iterator
from typing import Any

from django.db import transaction

from acciones import events
from acciones.errors import MayaError
from acciones.models import Action
from acciones.steps.offer import offer
from acciones.steps.propose import propose
from agente.evidence import gather
from agente.models import Outcome, SurfaceTemplate, ToolCall
from agente.queue import TABLE
from agente.tools.tool import Context, Result, Tool, refused

from . import catalogue, values

PREFIX = "show_"
SHOWN = "shown"
SURFACE = "a2ui"


def tool(template: SurfaceTemplate) -> Tool:
    """Return the tool that shows one surface."""

    def effect(context: Context) -> Result:
        return show(template, context)

    return Tool(
        name=f"{PREFIX}{template.name}", description=template.description, effect=effect
    )


def show(template: SurfaceTemplate, context: Context) -> Result:
    """Emit the surface with the newest readings, and offer what its buttons name."""
    try:
        data = values.model(template.values, values.readings(context.conversation))
    except values.Missing as error:
        return refused("missing_reading", f"Antes consulta «lookup_{error}».")
    messages = list(_messages(template, context, data))
    for message in messages:
        if wrong := catalogue.problem(message):
            return refused("invalid_surface", wrong)
    for component in template.components:
        _offer(template, context, component, data)
    for message in messages:
        events.append(
            TABLE,
            context.turn.pk,
            type="surface.updated",
            payload={"message": message},
        )
    return Result({"status": SHOWN, "surface": template.surface_id})


def _messages(
    template: SurfaceTemplate, context: Context, data: dict[str, Any]
) -> Iterator[dict[str, Any]]:
    surface = {"surfaceId": template.surface_id}
    if _is_on_screen(template, context):
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


def _is_on_screen(template: SurfaceTemplate, context: Context) -> bool:
    return ToolCall.objects.filter(
        turn__conversation=context.conversation,
        name=f"{PREFIX}{template.name}",
        state=ToolCall.State.DONE,
        result__status=SHOWN,
    ).exists()


def _offer(
    template: SurfaceTemplate,
    context: Context,
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
                conversation=context.conversation,
                action=change,
                arguments=clicked,
                evidence=gather(context.conversation, change, clicked),
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
