"""Load: a run with everything that carrying it out looks at, in one query."""

from uuid import UUID

from acciones.models import Run


def load(run_id: UUID | str) -> Run:
    """Return the run; raises ``Run.DoesNotExist``."""
    return Run.objects.select_related(
        "site",
        "action__connection",
        "action__status_lookup__connection",
        "proposal__customer",
        "consent",
        "conversation__site",
        "conversation__visitor__customer",
    ).get(pk=run_id)
