"""The admin's part of the audit: what was set, and what support looked at."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.http import HttpRequest

from acciones import audit
from acciones.models import Run, Site

from .reach import reach


def viewed(request: HttpRequest, page: str, runs: Sequence[Run]) -> None:
    """Record that somebody saw runs of a site that is not theirs: support looking in.

    One entry for each site. A member looking at its own site is nothing to record.
    """
    mine = reach(request)
    seen: dict[Site, list[Run]] = {}
    for run in runs:
        if mine.member(run.site_id) is None:
            seen.setdefault(run.site, []).append(run)
    for site, theirs in seen.items():
        audit.record(
            audit.Kind.VIEW,
            "view",
            surface="admin",
            site=site,
            user=request.user,
            subject="run",
            subject_id=theirs[0].pk if len(theirs) == 1 else "",
            note=f"{page}: {len(theirs)}",
        )


def looked(request: HttpRequest, site: Site, subject: str, subject_id: object) -> None:
    """Record that somebody opened a row with customers' data of another's site."""
    if reach(request).member(site.pk) is None:
        audit.record(
            audit.Kind.VIEW,
            "view",
            surface="admin",
            site=site,
            user=request.user,
            subject=subject,
            subject_id=subject_id,
        )


def set_row(
    request: HttpRequest,
    row: Any,
    *,
    site: Site,
    before: Mapping[str, Any] | None,
    kind: str = audit.Kind.SETTING,
    verb: str = "",
    gone: bool = False,
) -> None:
    """Record a row that was written: only what changed, before and after."""
    after = None if gone else audit.fields_of(row)
    old, new = _differences(before, after)
    if before is not None and after is not None and not new:
        return
    audit.record(
        kind,
        verb or ("delete" if gone else "change" if before else "create"),
        surface="admin",
        site=site,
        user=request.user,
        subject=row._meta.model_name,
        subject_id=row.pk or (before or {}).get("id", ""),
        before=old,
        after=new,
    )


def _differences(
    before: Mapping[str, Any] | None, after: Mapping[str, Any] | None
) -> tuple[dict[str, Any] | None, dict[str, Any] | None]:
    if before is None or after is None:
        return dict(before) if before else None, dict(after) if after else None
    changed = [name for name in after if before.get(name) != after[name]]
    return {n: before.get(n) for n in changed}, {n: after[n] for n in changed}
