"""What a random life needs done for it: looking, hanging, calling back, waiting."""

import itertools
import json
import threading
import time
from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from django.db import connections
from django.db.models import F
from django.db.models.functions import Now
from django.utils import timezone

from acciones import callbacks
from acciones.executors import lookup
from acciones.models import Action, Conversation, Evidence, Run
from acciones.publish import publish
from acciones.steps import lost
from acciones.steps.dispatch import dispatch
from acciones.steps.expire import expire
from acciones.steps.observe import observe
from acciones.steps.recover import abandoned, recover
from maya.lib import background, signing

from . import cast as people
from .cast import SECRET, Cast, talk
from .endpoint import Endpoint, Held, Mood

CHANGES = ("refund_order", "cancel_order", "close_account")
ORDERS = ("4821", "4822")
AGES = ("expires_at", "due_at", "lease_until")
LONG_AGO = timedelta(days=2)
_sites = itertools.count(1)


def assemble(url: str) -> tuple[Cast, list[Conversation]]:
    """Build a new site with three conversations and three changes.

    One change needs an approval, one needs two, one needs none and can be asked for.
    """
    cast = people.assemble(url, name=f"tienda{next(_sites)}")
    people.action(
        cast.site,
        cast.connection,
        "close_account",
        kind="change",
        quorum=2,
        target_kind="order",
        target_input="order_id",
        inputs=[people.ORDER_INPUT],
    )
    cast.cancel.status_lookup = cast.status
    cast.cancel.save()
    publish(cast.cancel)
    again, other = (
        talk(cast.site, visitor) for visitor in (cast.customer, cast.other_customer)
    )
    return cast, [cast.conversation, again, other]


def action(cast: Cast, name: str) -> Action:
    """Return a change as it is now."""
    return Action.objects.select_related("connection", "site").get(
        site=cast.site, kind="change", name=name
    )


def change(cast: Cast, name: str, *, publishes: bool) -> None:
    """Publish another version of an action, or switch it off or on."""
    one = action(cast, name)
    if publishes:
        one.description += "."
        one.save()
        publish(one)
    else:
        Action.objects.filter(pk=one.pk).update(enabled=not one.enabled)


def conversation(talk: Conversation) -> Conversation:
    """Return a conversation as it is now."""
    return Conversation.objects.select_related("site", "visitor__customer").get(
        pk=talk.pk
    )


def look(cast: Cast, where: Conversation, order: str) -> list[Evidence]:
    """Look an order up, as evidence."""
    arguments, where = {"order_id": order}, conversation(where)
    reading = background.run(lookup.read(cast.get_order, arguments, where))
    assert reading.status == "found", reading
    return [
        observe(
            conversation=where,
            turn_id=None,
            action=cast.get_order,
            arguments=arguments,
            reading=reading,
        )
    ]


@dataclass(frozen=True)
class Hanging:
    """A worker in a thread whose request waits at the endpoint."""

    thread: threading.Thread
    held: Held

    def answer(self, mood: Mood) -> None:
        """Let the endpoint answer, and the worker end."""
        self.held.mood = mood
        self.held.released.set()
        self.thread.join()


def hang(endpoint: Endpoint, run_id: UUID) -> list[Hanging]:
    """Dispatch in a thread, until its request hangs; nothing is sent: nobody hangs."""
    held = endpoint.held = Held()
    thread = threading.Thread(target=_work, args=(run_id,))
    thread.start()
    while thread.is_alive() and not held.arrived.is_set():
        time.sleep(0.001)
    endpoint.held = None
    if held.arrived.is_set():
        return [Hanging(thread, held)]
    thread.join()
    return []


def _work(run_id: UUID) -> None:
    try:
        dispatch(run_id)
    finally:
        connections.close_all()


def call_back(run_id: UUID, status: str, *, secret: str = SECRET) -> int:
    """Send a signed callback; return how it was answered."""
    body, stamp = json.dumps({"status": status}).encode(), str(int(time.time()))
    signature = signing.callback_signature(secret, str(run_id), stamp, body)
    verdict = callbacks.receive(
        str(run_id), body=body, timestamp=stamp, signature=signature
    )
    return verdict.status


def come(run_id: UUID, age: str) -> None:
    """Let a time of a run come, if it has one."""
    Run.objects.filter(pk=run_id, **{f"{age}__isnull": False}).update(
        **{age: Now() - timedelta(seconds=1)}
    )


def is_over(run: Run) -> bool:
    """Say whether the waiting time of a run, as it was read, is over."""
    return run.expires_at <= timezone.now()


def sweep() -> None:
    """Take up what was abandoned and end what is overdue."""
    for run_id in abandoned():
        recover(run_id)
    for run_id in lost.overdue():
        expire(run_id)


def let_everything_end(site_id: int) -> None:
    """Let days pass with workers about, often enough for any run to end."""
    mine = Run.objects.filter(site=site_id)
    for _ in range(8):
        for age in AGES:
            mine.filter(**{f"{age}__isnull": False}).update(**{age: F(age) - LONG_AGO})
        sweep()
        for run_id in mine.filter(due_at__isnull=False).values_list("pk", flat=True):
            dispatch(run_id)
