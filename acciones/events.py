"""The log: every change of state is one statement that also writes its event.

``advance`` is the one transition of the house. It names the legal source states,
moves one row, takes the next ``position`` of the conversation and appends the
event; locks are taken in the order row → conversation → event, always.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from django.db import connection
from psycopg import sql
from psycopg.types.json import Jsonb

from maya.lib import wake

from . import vocabulary

RUN = "acciones_run"

STATEMENT = """
WITH moved AS (
    UPDATE {table} SET {sets}
    WHERE id = %(id)s {state_guard} {where}
    RETURNING *
), place AS (
    UPDATE acciones_conversation
    SET position = acciones_conversation.position + 1
    FROM moved WHERE acciones_conversation.id = moved.conversation_id
    RETURNING acciones_conversation.id, acciones_conversation.position
), told AS (
    INSERT INTO acciones_event
        (conversation_id, position, run_id, seq, type, payload, created)
    SELECT place.id, place.position, moved.id, moved.seq, %(type)s,
           %(payload)s {payload_more}, clock_timestamp()
    FROM moved, place
    RETURNING position
) {also}
SELECT to_jsonb(moved) AS row FROM moved, told
"""


def advance(
    table: str,
    id: UUID | str,
    *,
    type: str,
    payload: Mapping[str, Any],
    to: str | None = None,
    sources: Sequence[str] = (),
    where: str = "",
    sets: Mapping[str, str] | None = None,
    params: Mapping[str, Any] | None = None,
    payload_more: str = "",
    also: Mapping[str, str] | None = None,
) -> dict[str, Any] | None:
    """Move one row and append its event in one statement.

    ``to`` is the new state or, with ``sets={"state": sql}``, left out. ``sources``
    are the legal states to come from. ``where`` (beginning with AND), ``sets`` (column
    → SQL), ``payload_more`` (SQL jsonb merged into the payload) and ``also`` (name →
    a data-modifying SQL that reads ``moved``) are fixed texts of ours whose values
    come as ``params``. Returns the row after the change, or None when no row was in
    a legal state: then nothing changed and somebody else was faster.
    """
    vocabulary.check(type, dict(payload))
    columns = {"seq": "seq + 1", **(sets or {})}
    values: dict[str, Any] = {**(params or {}), "id": id, "type": type}
    values["payload"] = Jsonb(dict(payload))
    if to is not None:
        columns["state"] = "%(to)s"
        values["to"] = to
    if sources:
        values["sources"] = list(sources)
    statement = STATEMENT.format(
        table=sql.Identifier(table).as_string(None),
        sets=", ".join(f"{column} = {value}" for column, value in columns.items()),
        state_guard="AND state = ANY(%(sources)s)" if sources else "",
        where=where,
        payload_more=f"|| {payload_more}" if payload_more else "",
        also="".join(f", {name} AS ({text})" for name, text in (also or {}).items()),
    )
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        found = cursor.fetchone()
    if found is None:
        return None
    row: dict[str, Any] = (
        json.loads(found[0]) if isinstance(found[0], str) else found[0]
    )
    wake.readers(row["conversation_id"])
    return row


def transition(id: UUID | str, **change: Any) -> dict[str, Any] | None:
    """Move a run: ``advance`` on the ledger's table, and wake its site's inbox."""
    row = advance(RUN, id, **change)
    if row is not None:
        wake.site(row["site_id"])
    return row


def append(
    table: str, id: UUID | str, *, type: str, payload: Mapping[str, Any]
) -> dict[str, Any]:
    """Append an event to a row's own log without changing its state."""
    row = advance(table, id, type=type, payload=payload)
    if row is None:
        raise LookupError(f"no row {id} in {table}")
    return row
