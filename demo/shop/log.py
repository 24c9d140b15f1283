"""The log of every request the agent's endpoint received, refused ones included."""

import sqlite3
import time
from dataclasses import dataclass
from hashlib import sha256

from demo.shop.database import connection


@dataclass(frozen=True, slots=True)
class Received:
    """One request as it arrived: the signed headers and the raw body."""

    path: str
    key: bytes
    timestamp: bytes
    signature: bytes
    body: bytes


def record(database: str, received: Received, *, signature_ok: bool) -> None:
    """Keep that a request arrived, before anything is done about it."""
    with connection(database) as db:
        db.execute(
            "INSERT INTO requests (at, path, key, timestamp, signature, body_sha256,"
            " signature_ok) VALUES (?, ?, ?, ?, ?, ?, ?)",
            (
                time.time(),
                received.path,
                received.key.decode("latin-1") or None,
                received.timestamp.decode("latin-1") or None,
                received.signature.decode("latin-1") or None,
                sha256(received.body).hexdigest(),
                signature_ok,
            ),
        )


def everything(database: str) -> list[dict[str, object]]:
    """Return all requests in the order of their arrival."""
    with connection(database) as db:
        rows = db.execute("SELECT * FROM requests ORDER BY id").fetchall()
    return [_entry(row) for row in rows]


def _entry(row: sqlite3.Row) -> dict[str, object]:
    return {**row, "signature_ok": bool(row["signature_ok"])}
