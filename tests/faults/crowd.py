"""Customers and owners who ask, confirm and approve, and try again when it breaks."""

import random
import threading
import time
from collections.abc import Callable
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
Result = TypeVar("Result")


@dataclass
class Crowd:
    """Sixteen at a time, each with one run after the other, one order for each run."""

    cast: Cast
    shop: str
    books: Path
    source: random.Random
    expected: int
    agreed: int = 0
    all_agreed: threading.Event = field(default_factory=threading.Event)
    over: threading.Event = field(default_factory=threading.Event)
    runs: dict[str, UUID] = field(default_factory=dict)
    seconds: list[float] = field(default_factory=list)
    callbacks: int = 0

    def come(self, orders: list[str]) -> None:
        """See every order's run through to where it can go no further."""
        choices = [self.source.random() for _ in orders]
        try:
            with ThreadPoolExecutor(CONCURRENCY) as pool:
                list(pool.map(self._one, orders, choices))
        finally:
            self.all_agreed.set()

    def _one(self, order: str, choice: float) -> None:
        try:
            run = self._agree(order, choice)
            began = time.monotonic()
            self.agreed += 1
            if self.agreed == self.expected:
                self.all_agreed.set()
            while not self.over.is_set() and not self._is_settled(run, choice):
                time.sleep(POLL_SECONDS)
            self.seconds.append(time.monotonic() - began)
        finally:
            connections.close_all()

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
