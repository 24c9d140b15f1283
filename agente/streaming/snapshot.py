"""The present view, for a reader whose cursor the log cannot continue from.

The cursor is older than what retention left, or newer than anything that happened.
"""

import json
from typing import Any

from maya.lib import canonical

from . import log, pool
from .fold import View, apply, empty
from .log import Event
from .scope import Scope

TYPE = "snapshot"

PLACE = """
SELECT c.position,
    coalesce((SELECT seq FROM agente_turn WHERE id = %(run)s),
             (SELECT seq FROM acciones_run WHERE id = %(run)s))
FROM acciones_conversation c WHERE c.id = %(conversation)s
"""


async def take(scope: Scope) -> Event:
    """Fold what there is into one event, with the place to go on from."""
    [(position, seq)] = await pool.rows(
        PLACE, {"conversation": scope.conversation_id, "run": scope.run_id}
    )
    view, created = await _fold_until(scope.conversation_id, position)
    cursor = position
    if scope.run_id is not None:
        view, cursor = of_run(view, scope.run_id), seq or 0
    view["cursor"] = cursor
    return Event(
        position=position,
        run_id=scope.run_id or scope.conversation_id,
        seq=cursor,
        type=TYPE,
        payload=canonical.compact(view).decode(),
        created=created,
    )


def of_run(view: View, run_id: str) -> View:
    """Return what a view says of one turn or run alone."""
    own = {
        name: [one for one in view[name] if one["run_id"] == run_id]
        for name in ("messages", "tools", "surfaces")
    }
    kept = {
        name: {run_id: view[name][run_id]} if run_id in view[name] else {}
        for name in ("turns", "proposals", "receipts")
    }
    place = kept["receipts"] or kept["turns"]
    ended = [tool["operation_id"] for tool in own["tools"] if tool["ok"] is not None]
    return {
        **empty(),
        **own,
        **kept,
        "status": place[run_id]["status"] if place else None,
        "last_operation": ended[-1] if ended else None,
    }


async def _fold_until(conversation_id: str, position: int) -> tuple[View, str]:
    """Fold a conversation; retention leaves a snapshot in front of what it left."""
    scope = Scope(conversation_id, None, position, position)
    view, created, cursor = empty(), "null", 0
    while cursor < position:
        batch = await log.page(scope, cursor)
        if not batch.events:
            break
        for event in batch.events:
            if event.position > position:
                break
            _tell(view, event)
            created = event.created
        cursor = batch.events[-1].position
    return view, created


def _tell(view: View, event: Event) -> None:
    envelope: dict[str, Any] = json.loads(event.envelope())
    if event.type == TYPE:
        view.update({**empty(), **envelope["payload"]})
    else:
        apply(view, envelope)
