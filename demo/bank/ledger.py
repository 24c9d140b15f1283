"""The ledger of applied actions: each key runs once, and its result is kept."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from mcp.server.mcpserver.exceptions import ToolError
from psycopg.types.json import Jsonb

from demo.bank.database import Connection

Fields = dict[str, Any]


def once(
    db: Connection,
    *,
    key: str,
    kind: str,
    customer: str,
    arguments: Fields,
    act: Callable[[UUID], Fields],
) -> Fields:
    """Return the result consolidated under a key, running `act` if the key is new.

    The insert is the lock: a second call with the key waits on the unique index until
    the first has committed, and then reads its result; if the first rolled back, the
    second is the one that runs. `act` works in the same transaction.
    """
    row = db.execute(
        "INSERT INTO banorte.acciones_aplicadas"
        " (idempotency_key, tipo_accion, cliente_id, payload) VALUES (%s, %s, %s, %s)"
        " ON CONFLICT (idempotency_key) DO NOTHING RETURNING id",
        (key, kind, customer, Jsonb({"argumentos": arguments})),
    ).fetchone()
    if row is None:
        return _consolidated(db, key, kind, customer, arguments)
    result = act(row["id"])
    db.execute(
        "UPDATE banorte.acciones_aplicadas SET payload = %s WHERE id = %s",
        (Jsonb({"argumentos": arguments, "resultado": result}), row["id"]),
    )
    return result


def _consolidated(
    db: Connection, key: str, kind: str, customer: str, arguments: Fields
) -> Fields:
    row = db.execute(
        "SELECT tipo_accion, cliente_id, payload FROM banorte.acciones_aplicadas"
        " WHERE idempotency_key = %s",
        (key,),
    ).fetchone()
    # Another customer's key is told apart from nothing but another request's.
    if (
        row is None
        or (row["tipo_accion"], row["cliente_id"]) != (kind, customer)
        or row["payload"]["argumentos"] != arguments
    ):
        raise ToolError("Esa clave ya se usó para otra operación.")
    result: Fields = row["payload"]["resultado"]
    return result
