"""Who follows a site's inbox in this process, and what a lost wake-up left unsaid."""

from collections.abc import Callable
from typing import Any

from . import pool

OnChange = Callable[[int], None]
"""Takes the site's primary key; never waits."""

# What an inbox shows first: who waits for a decision, and how far each decision got
WAITING = """
SELECT site_id, count(*), max(confirmed_at), sum(approvals) FROM acciones_run
WHERE state = 'awaiting_owner' AND site_id = ANY(%(sites)s) GROUP BY site_id
"""


class Sites:
    """The listeners of each site."""

    def __init__(self) -> None:
        self._listeners: dict[int, set[OnChange]] = {}
        self._seen: dict[int, tuple[Any, ...]] = {}

    def join(self, sites: list[int], on_change: OnChange) -> None:
        """Have ``on_change`` called when something changed in one of the sites."""
        for site in sites:
            self._listeners.setdefault(site, set()).add(on_change)

    def leave(self, sites: list[int], on_change: OnChange) -> None:
        """Stop following."""
        for site in sites:
            listeners = self._listeners.get(site, set())
            listeners.discard(on_change)
            if not listeners:
                self._listeners.pop(site, None)
                self._seen.pop(site, None)

    def changed(self, site: int) -> None:
        """Tell everybody who follows a site."""
        for on_change in tuple(self._listeners.get(site, ())):
            on_change(site)

    def all_changed(self) -> None:
        """Tell everybody: nobody knows what was missed."""
        for site in tuple(self._listeners):
            self.changed(site)

    async def poll(self) -> None:
        """Tell those whose site moved since the last look."""
        sites = list(self._listeners)
        if not sites:
            return
        found = {row[0]: row for row in await pool.rows(WAITING, {"sites": sites})}
        for site in sites:
            now = found.get(site, ())
            if self._seen.setdefault(site, now) != now:
                self._seen[site] = now
                self.changed(site)
