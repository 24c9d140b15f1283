"""What an owner's assistant may ask: the runs of its member's site, and no more.

The same rows, words and limits as the owner API. Nothing here changes anything: to
approve is for people, and for programs that were given ``runs:decide``.
"""

from collections.abc import Callable
from functools import wraps
from typing import Annotated, Any, ParamSpec
from uuid import UUID

from django.db import connections
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.tools import Tool
from mcp_types import ToolAnnotations
from pydantic import Field

from acciones.api.owner import page, runs, written
from acciones.errors import MayaError
from acciones.models import Run

from . import caller

Given = ParamSpec("Given")
Shown = dict[str, Any]

READS = ToolAnnotations(
    read_only_hint=True,
    destructive_hint=False,
    idempotent_hint=True,
    open_world_hint=False,
)
LANGUAGE = "es"

State = Annotated[
    str, Field(description=f"Estados, con comas: {', '.join(Run.State.values)}")
]
Action = Annotated[str, Field(description="El nombre de una acción")]
Customer = Annotated[str, Field(description="El identificador exacto del cliente")]
Target = Annotated[str, Field(description="Por ejemplo order:4821")]
RunId = Annotated[UUID, Field(description="«run_id» de la lista")]
Limit = Annotated[int, Field(strict=True, ge=1, le=page.MOST)]
Cursor = Annotated[str, Field(description="«next» de la página anterior")]


def list_runs(
    state: State = "",
    action: Action = "",
    customer: Customer = "",
    target: Target = "",
    limit: Limit = page.USUAL,
    cursor: Cursor = "",
) -> Shown:
    """Lista las ejecuciones del sitio, la más nueva primero; «next» continúa."""
    asked = {"state": state, "action": action, "customer": customer, "target": target}
    return _page(asked, limit, cursor)


def list_waiting(limit: Limit = page.USUAL, cursor: Cursor = "") -> Shown:
    """Lista lo que espera el sí o el no de un miembro; decidir es cosa de personas."""
    return _page({"state": Run.State.AWAITING_OWNER.value}, limit, cursor)


def get_run(
    run_id: Annotated[UUID, Field(description="«run_id» de la lista")],
) -> Shown:
    """Muestra una ejecución entera: datos, pruebas, decisiones y envíos."""
    member = caller.member()
    run = runs.one(member, run_id)
    caller.note("show", subject_id=run.pk)
    tries = run.tries.order_by("number")
    return {
        **written.run(run, member=member, language=LANGUAGE),
        "tries": [written.attempt(row) for row in tries],
    }


def _page(asked: dict[str, str], limit: int, cursor: str) -> Shown:
    member = caller.member()
    found = page.after(runs.narrowed(runs.runs_of(member), asked), cursor)
    rows = list(found[: limit + 1])
    shown = rows[:limit]
    caller.note("list", after={"runs": [str(run.pk) for run in shown]})
    return {
        "runs": [written.run(r, member=member, language=LANGUAGE) for r in shown],
        "next": page.cursor_of(shown[-1]) if len(rows) > limit else None,
    }


def _told(tool: Callable[Given, Shown]) -> Callable[Given, Shown]:
    """Tell refusals in their words, and leave no connection in the worker thread."""

    @wraps(tool)
    def told(*args: Given.args, **kwargs: Given.kwargs) -> Shown:
        try:
            return tool(*args, **kwargs)
        except MayaError as error:
            raise ToolError(error.detail) from error
        finally:
            connections.close_all()

    return told


def all_tools() -> list[Tool]:
    """Return the tools, each known as reading only."""
    return [
        Tool.from_function(_told(tool), annotations=READS)
        for tool in (list_runs, get_run, list_waiting)
    ]
