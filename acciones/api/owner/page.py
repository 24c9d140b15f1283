"""Pages of a list: where the next one begins, as an opaque cursor."""

import base64
import binascii
import uuid
from datetime import datetime

from django.db.models import Q, QuerySet

from acciones.errors import BadInput
from acciones.models import Run

MOST = 100
USUAL = 25


def size(text: str) -> int:
    """Return how many rows a page has; raises ``BadInput``."""
    if not text:
        return USUAL
    if not (text.isascii() and text.isdigit() and 1 <= int(text) <= MOST):
        raise BadInput(f"limit va de 1 a {MOST}.")
    return int(text)


def after(runs: "QuerySet[Run]", cursor: str) -> "QuerySet[Run]":
    """Return the runs that follow a cursor, the newest first."""
    ordered = runs.order_by("-created", "-pk")
    if not cursor:
        return ordered
    created, pk = _read(cursor)
    return ordered.filter(
        Q(created__lt=created) | Q(created=created, pk__lt=pk), created__lte=created
    )


def cursor_of(run: Run) -> str:
    """Return the cursor that continues after this run."""
    text = f"{run.created.isoformat()}|{run.pk}"
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def _read(cursor: str) -> tuple[datetime, uuid.UUID]:
    try:
        raw = base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)).decode()
        created, _bar, pk = raw.partition("|")
        moment = datetime.fromisoformat(created)
        found = moment, uuid.UUID(pk)
    except (ValueError, binascii.Error, UnicodeError) as error:
        raise BadInput("cursor es lo que devolvió «next», sin cambios.") from error
    if moment.tzinfo is None:
        raise BadInput("cursor es lo que devolvió «next», sin cambios.")
    return found
