"""Leaves a trace whenever support looks at what belongs to a site's customers."""

from collections.abc import Sequence
from typing import Any

from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.http import HttpRequest

from acciones.models import Run

from .reach import reach

VIEWED = 4
"""Beside Django's ADDITION (1), CHANGE (2) and DELETION (3)."""


def viewed(request: HttpRequest, page: str, runs: Sequence[Run]) -> None:
    """Record who saw which sites' runs, and from which address, as one row.

    A member looking at its own site is nothing to record; support looking in is.
    """
    mine = reach(request)
    foreign = [run for run in runs if mine.member(run.site_id) is None]
    if not foreign:
        return
    sites = sorted({run.site.public_id for run in foreign})
    user: Any = request.user
    LogEntry.objects.create(
        user_id=user.pk,
        content_type=ContentType.objects.get_for_model(Run),
        object_id=str(foreign[0].pk) if len(foreign) == 1 else None,
        object_repr=f"{page}: {len(foreign)}"[:200],
        action_flag=VIEWED,
        change_message=f"{', '.join(sites)} · {request.META.get('REMOTE_ADDR', '')}",
    )
