"""Random lives of runs on real rows: whatever happens, in whatever order, holds.

The steps are the product's; the owner's system is a small honest endpoint in a
thread, which can hold a request so that a worker is caught in the middle of it.
Time passes by moving a row's times back, never by patching a clock.
"""

import random
from collections.abc import Callable, Sequence
from typing import Any, ClassVar
from uuid import UUID

import hypothesis
import hypothesis.strategies as st
import pytest
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)

from acciones.errors import MayaError
from acciones.models import Action, Member, Run
from acciones.steps.approve import approve
from acciones.steps.cancel import cancel
from acciones.steps.claim import begin, claim
from acciones.steps.confirm import confirm
from acciones.steps.dispatch import dispatch
from acciones.steps.expire import expire
from acciones.steps.load import load
from acciones.steps.propose import propose
from acciones.steps.reject import reject
from acciones.steps.revalidate import revalidate
from acciones.tokens import issue

from . import invariants, scene
from .cast import SECRET, fresh
from .endpoint import MOODS, SILENT, Endpoint, Mood, serving

EXAMPLES, LENGTH = 30, 30
# Hypothesis gives each life the source of its choices. Its own choice among rules and
# values leaves most of them out of most lives (it hunts for small failures), and a
# run needs five different steps to come to its end
STEPS = (
    *["offer", "confirm", "cancel", "decide", "decide", "expire", "pass_time"],
    *["dispatch"] * 4,
    *["dispatch_and_hang", "dispatch_and_hang", "answer_late", "answer_late"],
    *["dispatch_and_die", "pass_time", "pass_time", "sweep"],
    *["call_back", "change_the_world"],
)
Draw = Callable[[Sequence[Any]], Any]
LATE = {"expired", "wrong_state"}
REFUSALS = {
    "offer": {"disabled", "quota"},
    "confirm": LATE | {"not_found", "already_in_progress"},
    "cancel": LATE,
    "decide": LATE | {"not_found", "forbidden", "digest_mismatch", "already_decided"},
}


class Changes(RuleBasedStateMachine):
    """One site, three conversations, three changes, and an owner's system."""

    endpoint: ClassVar[Endpoint]
    url: ClassVar[str]

    def __init__(self) -> None:
        super().__init__()
        self.endpoint.forget()
        self.cast, self.talks = scene.assemble(self.url)
        self.random = random.Random()
        self.hanging: list[scene.Hanging] = []
        self.checked: dict[UUID, tuple[int, tuple[int, int]]] = {}

    @initialize(source=st.randoms(use_true_random=True))
    def some_are_agreed(self, source: random.Random) -> None:
        self.random = source
        names = source.sample(scene.CHANGES, len(scene.CHANGES))
        for where, name in enumerate(names):
            self.propose(
                where, name, scene.ORDERS[where % 2], proof=where > 0, agreed=True
            )

    @rule()
    def something_happens(self) -> None:
        drawn: list[Any] = []

        def draw(values: Sequence[Any]) -> Any:
            drawn.append(self.random.choice(values))
            return drawn[-1]

        what = self.random.choice(STEPS)
        try:
            getattr(self, what)(draw)
        finally:
            hypothesis.note(f"{what} {drawn}")

    def pick(self, draw: Draw, *states: str) -> UUID:
        """Return a run: three times in four one where the step has something to do."""
        mine = Run.objects.filter(site=self.cast.site).order_by("created")
        fitting = list(mine.filter(state__in=states).values_list("pk", flat=True))
        everyone = list(mine.values_list("pk", flat=True))
        among = fitting if fitting and draw([1, 1, 1, 0]) else everyone
        return among[draw(range(len(among)))]

    def attempt(self, kind: str, run_id: UUID | None, step: Callable[[], Any]) -> Any:
        """Run a step; a refusal is one of its own, and says what the row says."""
        try:
            return step()
        except MayaError as error:
            refusal = error
        assert refusal.code in REFUSALS[kind], refusal
        if run_id and refusal.code in LATE:
            assert refusal.extra["state"] == Run.objects.get(pk=run_id).state
        return None

    def offer(self, draw: Draw) -> None:
        """The agent proposes, with or without having looked; people may agree."""
        self.propose(
            draw(range(3)),
            draw(scene.CHANGES),
            draw(scene.ORDERS),
            proof=draw([True, False]),
            agreed=draw([True, True, False]),
        )

    def propose(
        self, where: int, name: str, order: str, *, proof: bool, agreed: bool
    ) -> None:
        conversation = scene.conversation(self.talks[where])
        action = scene.action(self.cast, name)
        run = self.attempt(
            "offer",
            None,
            lambda: propose(
                conversation=conversation,
                action=action,
                arguments={"order_id": order}
                | ({"amount": "79.00"} if action.money else {}),
                evidence=scene.look(self.cast, conversation, order) if proof else [],
            ),
        )
        if run and agreed and self.yes(run.pk, stranger=0):
            self.judge(run.pk, "owner", approve, seen=True)
            self.judge(run.pk, "teammate", approve, seen=True)

    def confirm(self, draw: Draw) -> None:
        """The customer says yes; a stranger, or a stranger's token, gets nowhere."""
        self.yes(self.pick(draw, "requested"), draw([0, 0, 0, 1, 2]))

    def yes(self, run_id: UUID, stranger: int) -> bool:
        run = fresh(Run.objects.get(pk=run_id))
        visitor = self.cast.anonymous if stranger == 1 else run.visitor
        token = "1" * 10 + "." + "0" * 64 if stranger == 2 else issue(run)
        won = self.attempt(
            "confirm", run_id, lambda: confirm(run_id, visitor, token=token)
        )
        assert not (won and (stranger or scene.is_over(run)))
        return bool(won)

    def cancel(self, draw: Draw) -> None:
        run_id = self.pick(draw, "requested")
        visitor = fresh(Run.objects.get(pk=run_id)).visitor
        self.attempt("cancel", run_id, lambda: cancel(run_id, visitor))

    def decide(self, draw: Draw) -> None:
        """A member decides on what they saw; who may not, or saw another, does not."""
        self.judge(
            self.pick(draw, "awaiting_owner"),
            draw(["owner", "owner", "teammate", "viewer", "outsider"]),
            draw([approve, approve, reject]),
            seen=draw([True, True, True, False]),
        )

    def judge(
        self, run_id: UUID, who: str, step: Callable[..., Run], *, seen: bool
    ) -> None:
        run = Run.objects.get(pk=run_id)
        digest = run.digest if seen else "0" * 64
        member: Member = getattr(self.cast, who)
        won = self.attempt(
            "decide",
            run_id,
            lambda: step(run_id, member=member, surface="admin", digest=digest),
        )
        may = seen and who in {"owner", "teammate"} and not scene.is_over(run)
        assert may or not won

    def dispatch(self, draw: Draw) -> None:
        """A worker carries a run on, if it is due."""
        self.endpoint.mood = draw(MOODS)
        self.endpoint.lookups = draw([Mood(), Mood(), SILENT])
        dispatch(self.pick(draw, "queued", "unknown"))
        self.endpoint.lookups = Mood()

    def dispatch_and_hang(self, draw: Draw) -> None:
        """A worker is caught with its request under way, and perhaps given up."""
        run_id = self.pick(draw, "queued", "unknown")
        self.hanging += scene.hang(self.endpoint, run_id)
        if draw([True, False]):
            scene.come(run_id, "lease_until")
            self.sweep(draw)
            scene.come(run_id, "due_at")

    def answer_late(self, draw: Draw) -> None:
        if self.hanging:
            late = self.hanging.pop(draw(range(len(self.hanging))))
            late.answer(draw(MOODS))

    def dispatch_and_die(self, draw: Draw) -> None:
        """A worker dies after its claim, or with its attempt stored and not sent."""
        run_id = self.pick(draw, "queued", "unknown")
        row = claim(run_id)
        sends = row and (row["attempts"] or revalidate(load(run_id)).fine)
        if row and sends and draw([True, False]):
            begin(row)

    def pass_time(self, draw: Draw) -> None:
        run_id = self.pick(draw, "unknown", "running", "awaiting_owner", "requested")
        scene.come(run_id, draw(scene.AGES))

    def sweep(self, draw: Draw) -> None:
        scene.sweep()

    def expire(self, draw: Draw) -> None:
        expire(self.pick(draw, "requested", "awaiting_owner"))

    def call_back(self, draw: Draw) -> None:
        # Of a key that it has seen; or somebody pretends to
        run_id = self.pick(draw, "pending", "unknown", "running")
        status, how = draw(["done", "failed"]), draw(["well", "well", "lost", "forged"])
        before = Run.objects.get(pk=run_id)
        seen = str(run_id) in self.endpoint.bodies
        if how == "forged" or not (seen or before.attempts):
            secret, refused = ("x" * 40, 403) if how == "forged" else (SECRET, 409)
            assert scene.call_back(run_id, status, secret=secret) == refused
            assert Run.objects.get(pk=run_id).seq == before.seq
        elif seen:
            known = self.endpoint.settle(str(run_id), status)["status"]
            code = 409 if before.is_final else 200
            assert how == "lost" or scene.call_back(run_id, known) == code

    def change_the_world(self, draw: Draw) -> None:
        """The owner switches or publishes an action, the warehouse moves an order."""
        what = draw(["switch", "publish", "move", "move"])
        if what == "move":
            self.endpoint.move(draw(scene.ORDERS))
        else:
            scene.change(self.cast, draw(scene.CHANGES), publishes=what == "publish")

    @invariant()
    def every_rule_holds(self) -> None:
        """The rows are sound, and the owner's system saw what they say."""
        assert self.endpoint.forged == 0
        now = {
            pk: (seq, self.endpoint.seen(pk))
            for pk, seq in Run.objects.filter(site=self.cast.site).values_list(
                "pk", "seq"
            )
        }
        moved = {pk for pk, seen in now.items() if self.checked.get(pk) != seen}
        if moved:
            runs = invariants.of_site(self.cast.site.pk, moved)
            assert invariants.broken(runs) == []
            for run in runs:
                self.endpoint.agrees(run)
        self.checked = now

    def teardown(self) -> None:
        # Everything comes to its end: no run is lost
        for late in self.hanging:
            late.answer(Mood())
        self.endpoint.mood = self.endpoint.lookups = Mood()
        Action.objects.filter(site=self.cast.site).update(enabled=True)
        scene.let_everything_end(self.cast.site.pk)
        self.every_rule_holds()
        runs = Run.objects.filter(site=self.cast.site)
        assert set(runs.values_list("state", flat=True)) <= {*Run.FINAL, "pending"}


@pytest.mark.usefixtures("transactional_db")
def test_whatever_happens_in_whatever_order_holds(settings: Any) -> None:
    Changes.endpoint = Endpoint(SECRET)
    with serving(Changes.endpoint) as Changes.url:
        settings.MAYA_DEV_ENDPOINTS = [Changes.url]
        settings.MAYA_HTTP_SECONDS = 60  # what hangs here is let go by the machine
        run_state_machine_as_test(
            Changes,
            settings=hypothesis.settings(
                max_examples=EXAMPLES,
                stateful_step_count=LENGTH,
                derandomize=True,
                deadline=None,
                database=None,
                phases=[hypothesis.Phase.generate],
                suppress_health_check=list(hypothesis.HealthCheck),
            ),
        )
