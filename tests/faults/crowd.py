"""Customers and owners who ask, confirm and approve, and try again when it breaks."""

import random
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar
from uuid import UUID

import httpx
from django.db import DatabaseError, InterfaceError, connections

from acciones.models import Action, Conversation, Run
from acciones.steps.approve import approve
from acciones.steps.confirm import confirm
from acciones.steps.propose import propose
from acciones.tokens import issue
from tests.acciones import scene
from tests.acciones.cast import Cast, fresh, talk

from .verdict import Books

CONCURRENCY = 16
SETTLED = {*Run.FINAL, Run.State.PENDING}
POLL_SECONDS = 0.1
PATIENCE_SECONDS = 90
"""Far longer than a run takes while everything breaks around it."""
Result = TypeVar("Result")


@dataclass
class Crowd:
    """Sixteen at a time, each with one run after the other, one order for each run."""

    cast: Cast
    shop: str
    books: Path
    source: random.Random
    all_agreed: threading.Event = field(default_factory=threading.Event)
    over: threading.Event = field(default_factory=threading.Event)
    runs: dict[str, UUID] = field(default_factory=dict)
    seconds: list[float] = field(default_factory=list)
    callbacks: int = 0
    agreeing: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def come(self, orders: Iterator[str]) -> None:
        """Come as long as there are orders, and see each run through."""
        try:
            with ThreadPoolExecutor(CONCURRENCY) as pool:
                comers = [pool.submit(self._stay, orders) for _ in range(CONCURRENCY)]
                for comer in comers:
                    comer.result()
        finally:
            self.all_agreed.set()

    def _stay(self, orders: Iterator[str]) -> None:
        try:
            while (order := self._next(orders)) is not None:
                choice = self.source.random()
                run = self._agree(order, choice)
                with self.lock:
                    self.agreeing -= 1
                self._see_through(run, choice)
        finally:
            connections.close_all()

    def _next(self, orders: Iterator[str]) -> str | None:
        """Take an order; whoever finds none while nobody agrees any more says so."""
        with self.lock:
            order = next(orders, None)
            if order is not None:
                self.agreeing += 1
            elif not self.agreeing:
                self.all_agreed.set()
            return order

    def _see_through(self, run: UUID, choice: float) -> None:
        began = time.monotonic()
        while not (self.over.is_set() or self._is_settled(run, choice)):
            if time.monotonic() - began > PATIENCE_SECONDS:
                break  # the verdict will tell: this one is lost
            time.sleep(POLL_SECONDS)
        self.seconds.append(time.monotonic() - began)

    def _agree(self, order: str, choice: float) -> UUID:
        """Propose, confirm and approve; ``choice`` says which of both changes."""
        action = self.cast.refund if order.startswith("R") else self.cast.cancel
        conversation = insist(lambda: talk(self.cast.site, self.cast.customer))
        run = insist(lambda: self._propose(conversation, action, order, choice < 0.5))
        self.runs[order] = run.pk
        insist(lambda: self._decide(run.pk))
        if choice < 0.05:
            self._control("order", order_id=order, status="shipped")
        return run.pk

    def _propose(
        self, talked: Conversation, action: Action, order: str, looks: bool
    ) -> Run:
        where = scene.conversation(talked)
        evidence = scene.look(self.cast, where, order) if looks else []
        return propose(
            conversation=where,
            action=action,
            arguments={"order_id": order}
            | ({"amount": "79.00"} if action.money else {}),
            evidence=evidence,
        )

    def _decide(self, run_id: UUID) -> None:
        """Go on from wherever the last try came."""
        run = fresh(Run.objects.get(pk=run_id))
        if run.state == Run.State.REQUESTED:
            run = confirm(run.pk, run.visitor, token=issue(run))
        if run.state == Run.State.AWAITING_OWNER:
            approve(run.pk, member=self.cast.owner, surface="admin", digest=run.digest)

    def _is_settled(self, run_id: UUID, choice: float) -> bool:
        """Look; the shop may call back about what it left pending."""
        state = insist(
            lambda: Run.objects.values_list("state", flat=True).get(pk=run_id)
        )
        if state == Run.State.PENDING and choice * 10 % 1 < 0.7:
            # An earlier callback may have been lost: then the shop is done with it
            known = Books(self.books).status(run_id)
            status = known if known in {"done", "failed"} else "done"
            self._control("callback", run_id=str(run_id), status=status)
            self.callbacks += 1
            return False
        return state in SETTLED

    def _control(self, what: str, **asked: str) -> None:
        httpx.post(f"{self.shop}/control/{what}", json=asked, timeout=30)


def insist(step: Callable[[], Result]) -> Result:
    """Try again while the database's connection or the shop breaks off."""
    while True:
        try:
            return step()
        except (DatabaseError, InterfaceError, AssertionError):
            # Cut off, or the shop said nothing when the order was looked up
            connections.close_all()
            time.sleep(POLL_SECONDS)
