"""What became of all runs: by our rows, and by the shop's own database."""

import json
import sqlite3
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import Any
from uuid import UUID

from acciones.models import Notice, Run
from tests.acciones import invariants

ENDED = {*Run.FINAL, Run.State.PENDING}


class Books:
    """The shop's books, read from its file."""

    def __init__(self, path: Path) -> None:
        with closing(sqlite3.connect(path)) as db:
            db.row_factory = sqlite3.Row
            self.changes = db.execute("SELECT * FROM changes").fetchall()
            self.requests = db.execute(
                "SELECT * FROM requests WHERE key IS NOT NULL"
            ).fetchall()

    def status(self, run_id: UUID) -> str:
        """Return the status that the shop has saved for a key, or nothing."""
        answers = [row["answer"] for row in self.changes if row["key"] == str(run_id)]
        return str(json.loads(answers[0])["status"]) if answers else ""

    def effect(self, run_id: UUID) -> bool:
        """Say whether this key changed an order."""
        return any(_changed(row) for row in self.changes if row["key"] == str(run_id))

    def doubled(self) -> list[str]:
        """Return the orders that more than one key has changed."""
        orders = Counter(
            json.loads(row["input"])["order_id"]
            for row in self.changes
            if _changed(row)
        )
        return [order for order, many in orders.items() if many > 1]


def _changed(row: sqlite3.Row) -> bool:
    """A pending change may be written already; a final one says itself."""
    status = json.loads(row["answer"])["status"]
    return status == "done" or (status == "pending" and bool(row["applied"]))


def judge(site_id: int, runs: Mapping[str, UUID], books: Books) -> dict[str, Any]:
    """Return the figures; ``lost``, ``doubled`` and ``untrue`` have to be empty."""
    found = invariants.of_site(site_id, list(runs.values()))
    missing = [
        order for order, run_id in runs.items() if run_id not in {r.pk for r in found}
    ]
    return {
        "runs": len(found),
        "states": dict(Counter(str(run.state) for run in found).most_common()),
        "lost": missing
        + [f"{run.pk} {run.state}" for run in found if run.state not in ENDED],
        "doubled": books.doubled(),
        "untrue": invariants.broken(found)
        + [rule for run in found for rule in _untrue(run, books)],
        "requests": len(books.requests),
        "repeated": len(books.requests) - len({row["key"] for row in books.requests}),
    }


def _untrue(run: Run, books: Books) -> Iterator[str]:
    """Compare what a receipt says with what the shop did."""
    happened = books.effect(run.pk)
    if run.state == Run.State.DONE and not happened:
        yield f"{run.pk} is done and nothing happened"
    if run.state == Run.State.FAILED and run.certain and happened:
        yield f"{run.pk} certainly failed ({run.reason}) and it happened"
    if run.state == Run.State.FAILED and not run.certain and not _is_noted(run):
        yield f"{run.pk} ended in doubt and no owner will know"
    came = [row for row in books.requests if row["key"] == str(run.pk)]
    if len(came) > run.attempts:
        yield f"{run.pk} came {len(came)} times in {run.attempts} attempts"
    body = sha256(bytes(run.proposal.body)).hexdigest()
    if any(row["body_sha256"] != body or not row["signature_ok"] for row in came):
        yield f"{run.pk} did not come as it was agreed to"


def _is_noted(run: Run) -> bool:
    """Say whether the owner is told, or will be: the row is the promise."""
    return Notice.objects.filter(run=run).exists()
