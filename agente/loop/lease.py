"""Holding a turn: claimed by a conditional UPDATE, kept by a heartbeat, fenced.

A worker that stops beating loses its turn, and every write of a holder names it, so
that one which was only slow can't write over whoever took the turn from it.
"""

import logging
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from uuid import UUID, uuid4

from django.conf import settings
from django.db import connection, connections, transaction

from acciones.steps.lock import lock_offers
from agente.models import Turn

BEAT_SECONDS = 1.0
"""How soon a stop is noticed; well under a lease."""

CLAIM = """
UPDATE agente_turn AS turn
SET holder = %(holder)s, claims = claims + 1,
    lease_until = clock_timestamp() + make_interval(secs => %(lease)s)
WHERE id = %(id)s AND state = ANY(%(open)s) AND due_at <= clock_timestamp()
  AND (lease_until IS NULL OR lease_until <= clock_timestamp())
  AND NOT EXISTS (
    SELECT FROM agente_turn AS earlier
    WHERE earlier.conversation_id = turn.conversation_id
      AND earlier.position < turn.position AND earlier.state = ANY(%(open)s)
  )
RETURNING conversation_id, claims
"""

BEAT = """
UPDATE agente_turn
SET lease_until = clock_timestamp() + make_interval(secs => %(lease)s)
WHERE holder = ANY(%(holders)s) AND state = ANY(%(open)s)
RETURNING holder
"""

OPEN = [state.value for state in Turn.OPEN]

logger = logging.getLogger(__name__)


class LeaseLost(Exception):
    """The turn is no longer ours: it was stopped, or somebody else took it."""


@dataclass
class Held:
    """A turn in our hands; ``lost`` is set when it is ours no more."""

    turn_id: UUID
    conversation_id: UUID
    claims: int
    holder: UUID
    lost: threading.Event = field(default_factory=threading.Event)

    @contextmanager
    def writing(self, *, offers: bool = False) -> Iterator[Turn]:
        """Open a transaction on the turn, locked; raises ``LeaseLost``.

        ``offers`` locks the conversation's open proposals first: whoever confirms
        takes run before conversation, and so must whoever replaces.
        """
        with transaction.atomic():
            turn = (
                Turn.objects.select_for_update()
                .filter(pk=self.turn_id, holder=self.holder, state__in=OPEN)
                .first()
            )
            if turn is None:
                raise LeaseLost
            if offers:
                lock_offers(self.conversation_id)
            yield turn

    def release(self, *, seconds: float = 0) -> None:
        """Give the turn back, to be taken again in so many seconds."""
        with connection.cursor() as cursor:
            cursor.execute(
                "UPDATE agente_turn SET holder = NULL, lease_until = NULL, due_at ="
                " clock_timestamp() + make_interval(secs => %s) WHERE holder = %s",
                [seconds, self.holder],
            )


def claim(turn_id: UUID | str) -> Held | None:
    """Take a turn that is due and in nobody's hands, in its conversation's order."""
    holder = uuid4()
    with connection.cursor() as cursor:
        cursor.execute(
            CLAIM,
            {
                "id": turn_id,
                "holder": holder,
                "open": OPEN,
                "lease": settings.MAYA_LEASE_SECONDS,
            },
        )
        row = cursor.fetchone()
    if row is None:
        return None
    return Held(UUID(str(turn_id)), row[0], row[1], holder)


class Heartbeat:
    """One thread per process that keeps all turns in its hands alive."""

    def __init__(self) -> None:
        """Start with empty hands."""
        self.lock = threading.Lock()
        self.held: dict[UUID, Held] = {}
        self.owner = 0

    @contextmanager
    def keeping(self, held: Held) -> Iterator[None]:
        """Keep a turn's lease while the block runs."""
        with self.lock:
            if self.owner != os.getpid():
                # After a fork the thread is gone, and so are the parent's turns
                self.owner, self.held = os.getpid(), {}
                threading.Thread(
                    target=self._beat_on, name="turn-heartbeat", daemon=True
                ).start()
            self.held[held.holder] = held
        try:
            yield
        finally:
            with self.lock:
                self.held.pop(held.holder, None)

    def _beat_on(self) -> None:
        pause = threading.Event()
        while not pause.wait(BEAT_SECONDS):
            with self.lock:
                ours = dict(self.held)
            if not ours:
                continue
            try:
                self._beat(ours)
            except Exception as error:  # noqa: BLE001  the next beat may succeed
                logger.warning("heartbeat failed: %s", type(error).__name__)
            finally:
                connections.close_all()

    def _beat(self, ours: dict[UUID, Held]) -> None:
        with connection.cursor() as cursor:
            cursor.execute(
                BEAT,
                {
                    "holders": list(ours),
                    "open": OPEN,
                    "lease": settings.MAYA_LEASE_SECONDS,
                },
            )
            alive = {row[0] for row in cursor.fetchall()}
        for holder, held in ours.items():
            if holder not in alive:
                held.lost.set()


heartbeat = Heartbeat()
