"""Our side: real rows, the product's own steps, and its real Celery workers."""

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from django.db import connections, transaction

from acciones.errors import MayaError
from acciones.models import Run
from acciones.steps.approve import approve
from acciones.steps.confirm import confirm
from acciones.steps.propose import propose
from acciones.tokens import issue
from tests.acciones import cast as people
from tests.acciones.cast import fresh, talk

from .processes import wait_until

PLENTY = 32_000


class Ours:
    """One site in front of the bench's endpoint."""

    def __init__(self, url: str) -> None:
        self.cast = people.assemble(url)
        site = self.cast.site
        site.open_per_visitor = site.open_per_site = PLENTY
        site.save()
        self.slow = people.action(
            site,
            self.cast.connection,
            "slow_refund",
            path="/slow",
            kind="change",
            inputs=[people.ORDER_INPUT],
            target_kind="order",
            target_input="order_id",
        )
        self.orders = 0

    def offers(self, many: int, *, slow: bool = False) -> list[Run]:
        """Return runs that are on offer, each of its own conversation and order."""
        action = self.slow if slow else self.cast.refund
        found = []
        for _ in range(many):
            self.orders += 1
            arguments = {"order_id": f"O{self.orders}"}
            if action.money:
                arguments["amount"] = "79.00"
            conversation = talk(self.cast.site, self.cast.customer)
            run = propose(conversation=conversation, action=action, arguments=arguments)
            found.append(fresh(run))
        return found

    def agree(self, run: Run) -> float:
        """Confirm and approve; return when the approval was committed."""
        self.confirm(run)
        committed: list[float] = []
        with transaction.atomic():
            transaction.on_commit(lambda: committed.append(time.time()))
            self.approve(run)
        return committed[0]

    def approve(self, run: Run) -> None:
        """Approve as the owner."""
        owner = self.cast.owner
        approve(run.pk, member=owner, surface="admin", digest=run.digest)

    def whole(self, runs: list[Run], threads: int) -> float:
        """Return the seconds in which all runs went from offer to done."""
        began = time.perf_counter()
        in_threads(self.see_through, runs, threads)
        wait_until(lambda: self.are_final(runs))
        return time.perf_counter() - began

    def see_through(self, run: Run) -> None:
        """Confirm and approve; a worker does the rest."""
        self.confirm(run)
        self.approve(run)

    def confirm(self, run: Run) -> None:
        """Confirm as the customer."""
        confirm(run.pk, self.cast.customer, token=issue(run))

    def double(self, runs: list[Run]) -> Counter[str]:
        """Confirm and approve each twice at the same moment; count how it ended."""
        ended = Counter[str]()
        for run in runs:
            ended += at_once(self.confirm, run)
            ended += at_once(self.approve, run)
        wait_until(lambda: self.are_final(runs))
        return ended

    def are_final(self, runs: list[Run]) -> bool:
        """Say whether nothing is left to do for these."""
        ids = [run.pk for run in runs]
        return not Run.objects.filter(pk__in=ids).exclude(state__in=Run.FINAL).exists()


def in_threads(work: Callable[[Any], Any], items: Iterable[Any], threads: int) -> None:
    """Do it for all items; each thread gives its connection back in the end."""
    remaining = iter(list(items))
    lock = threading.Lock()

    def take() -> None:
        try:
            while True:
                with lock:
                    item = next(remaining, None)
                if item is None:
                    return
                work(item)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(threads) as pool:
        for done in [pool.submit(take) for _ in range(threads)]:
            done.result()


def at_once(step: Callable[[Run], None], run: Run) -> Counter[str]:
    """Do a step twice at the same moment; count how it ended."""
    gate, ended = threading.Barrier(2), Counter[str]()

    def one(_: int) -> None:
        gate.wait()
        try:
            step(run)
            ended["won"] += 1
        except MayaError as error:
            ended[error.code] += 1

    in_threads(one, range(2), 2)
    return ended
