"""Everything that goes wrong while runs are under way, from one seeded source."""

import random
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

import httpx
import psycopg

from tests.live.servers import Valkey

from .workers import Worker

MOODS: tuple[tuple[str, bool | None], ...] = (
    ("ok", None),
    ("ok", None),
    ("ok", None),
    ("ok", None),
    ("slow", True),
    ("slow", False),
    ("pending", True),
    ("pending", False),
    ("5xx", True),
    ("5xx", False),
    ("garbage", True),
    ("garbage", False),
    ("drop", True),
    ("drop", False),
    ("4xx", False),
)
LOOKUP_MOODS = ("ok", "ok", "ok", "ok", "slow", "5xx", "garbage", "drop", "4xx")
SLOW_SECONDS = 1.5
TERMINATE = """
SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid()
  AND (%(all)s OR random() < 0.3)
"""


@dataclass
class Storm:
    """Breaks things until it is over; workers are replaced even then."""

    shop: str
    database_url: str
    valkey: Valkey
    workers: Sequence[Worker]
    source: random.Random
    over: threading.Event = field(default_factory=threading.Event)
    ended: threading.Event = field(default_factory=threading.Event)
    valkey_kills: int = 0
    backends: int = 0

    def blow(self) -> None:
        """Run until ``ended``; break nothing any more once ``over``."""
        again = time.monotonic() + self.source.uniform(1, 3)
        self._mood()
        while not self.ended.wait(0.1):
            for worker in self.workers:
                worker.look(mortal=not self.over.is_set())
            if self.over.is_set():
                continue
            if self.source.random() < 0.3:
                self._mood()
            if time.monotonic() > again:
                self._break_a_service()
                again = time.monotonic() + self.source.uniform(1, 3)

    def calm(self) -> None:
        """Let the shop be well and everybody live."""
        self.over.set()
        for on in ("changes", "lookups"):
            httpx.post(f"{self.shop}/control", json={"mood": "ok", "on": on})

    def _mood(self) -> None:
        name, effect = self.source.choice(MOODS)
        mood = {"mood": name, "times": self.source.randint(1, 3)}
        if effect is not None:
            mood["effect"] = effect
        self._put(mood | {"on": "changes"})
        name = self.source.choice(LOOKUP_MOODS)
        self._put({"mood": name, "times": self.source.randint(1, 3), "on": "lookups"})

    def _put(self, mood: dict[str, object]) -> None:
        if mood["mood"] == "slow":
            mood = mood | {"seconds": SLOW_SECONDS}
        httpx.post(f"{self.shop}/control", json=mood).raise_for_status()

    def _break_a_service(self) -> None:
        """Kill Valkey for a moment, or cut some or all of PostgreSQL's connections."""
        what = self.source.choice(["valkey", "some", "some", "all"])
        if what == "valkey":
            self.valkey.stop()
            time.sleep(self.source.uniform(0.1, 1))
            self.valkey.start()
            self.valkey_kills += 1
            return
        with psycopg.connect(self.database_url, autocommit=True) as connection:
            cut = connection.execute(TERMINATE, {"all": what == "all"}).fetchone()
            self.backends += cut[0] if cut else 0
