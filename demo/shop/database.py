"""The shop's own database: SQLite, one short connection for each piece of work."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import date, timedelta

SCHEMA = """
CREATE TABLE IF NOT EXISTS orders (
  order_id TEXT PRIMARY KEY,
  customer TEXT NOT NULL,
  product TEXT NOT NULL,
  amount_minor INTEGER NOT NULL CHECK (amount_minor > 0),
  currency TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN
    ('paid', 'preparing', 'shipped', 'delivered', 'cancelled', 'refunded')),
  ordered_on TEXT NOT NULL,
  shipped_on TEXT,
  delivered_on TEXT
);
-- An order is refunded once, whatever the keys say.
CREATE TABLE IF NOT EXISTS refunds (
  order_id TEXT PRIMARY KEY REFERENCES orders (order_id),
  amount_minor INTEGER NOT NULL,
  currency TEXT NOT NULL,
  key TEXT NOT NULL UNIQUE,
  customer TEXT NOT NULL,
  reason TEXT NOT NULL,
  created TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS changes (
  key TEXT PRIMARY KEY,
  action TEXT NOT NULL,
  customer TEXT NOT NULL,
  input TEXT NOT NULL,
  body_sha256 TEXT NOT NULL,
  applied INTEGER NOT NULL,
  answer TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS requests (
  id INTEGER PRIMARY KEY,
  at REAL NOT NULL,
  path TEXT NOT NULL,
  key TEXT,
  timestamp TEXT,
  signature TEXT,
  body_sha256 TEXT NOT NULL,
  signature_ok INTEGER NOT NULL
);
"""

# Order, customer, product, minor units, status, and the days that have passed since
# it was ordered, shipped and delivered.
ORDERS: tuple[tuple[str, str, str, int, str, int, int | None, int | None], ...] = (
    ("4821", "ana", "Auriculares Aura", 7900, "delivered", 16, 14, 12),
    ("4822", "ana", "Altavoz Brisa", 12900, "shipped", 3, 1, None),
    ("4830", "ana", "Funda Duna", 1900, "paid", 1, None, None),
    ("A128", "ana", "Cable Trenza", 1290, "preparing", 2, None, None),
    ("4815", "ana", "Teclado Nube", 5450, "cancelled", 20, None, None),
    # Refunded before this ledger existed: it has no row among the refunds.
    ("4790", "ana", "Lámpara Faro", 3990, "refunded", 40, 38, 35),
    ("4808", "ana", "Base Órbita", 4500, "delivered", 34, 32, 30),
    ("4702", "ana", "Monitor Horizonte", 24900, "delivered", 57, 55, 52),
    ("4818", "luis", "Auriculares Aura", 7900, "delivered", 13, 11, 9),
    ("4829", "luis", "Cargador Rayo", 2550, "preparing", 2, None, None),
    ("4811", "luis", "Cámara Lince", 31900, "shipped", 5, 2, None),
    ("4833", "luis", "Micrófono Eco", 8900, "paid", 0, None, None),
    ("4760", "luis", "Ratón Trébol", 2990, "delivered", 49, 47, 44),
)


@contextmanager
def connection(path: str) -> Iterator[sqlite3.Connection]:
    """Open the database for reading, or for one statement that commits by itself."""
    with closing(sqlite3.connect(path, timeout=10, isolation_level=None)) as db:
        db.row_factory = sqlite3.Row
        db.execute("PRAGMA foreign_keys = ON")
        yield db


@contextmanager
def transaction(path: str) -> Iterator[sqlite3.Connection]:
    """Open the database for one change that happens whole or not at all.

    IMMEDIATE takes the write lock before the first read: two requests with one key
    would otherwise both read "not seen yet".
    """
    with connection(path) as db:
        db.execute("BEGIN IMMEDIATE")
        try:
            yield db
        except BaseException:
            db.execute("ROLLBACK")
            raise
        db.execute("COMMIT")


def prepare(path: str, today: date) -> None:
    """Create what is missing and move the orders' dates up to today.

    The story says "delivered 12 days ago" whenever somebody starts it, also weeks
    after the database was made; what happened to the orders since is kept.
    """
    with connection(path) as db:
        db.execute("PRAGMA journal_mode = WAL")
        db.executescript(SCHEMA)
    with transaction(path) as db:
        for order, customer, product, minor, status, *days in ORDERS:
            dates = [_before(today, ago) for ago in days]
            db.execute(
                "INSERT INTO orders VALUES (?, ?, ?, ?, 'EUR', ?, ?, ?, ?)"
                " ON CONFLICT (order_id) DO UPDATE SET"
                " ordered_on = excluded.ordered_on,"
                " shipped_on = excluded.shipped_on,"
                " delivered_on = excluded.delivered_on",
                (order, customer, product, minor, status, *dates),
            )


def _before(today: date, days: int | None) -> str | None:
    return None if days is None else (today - timedelta(days=days)).isoformat()
