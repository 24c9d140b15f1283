"""One waiting request as an approver must see it, with nothing left out."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.db.models import DateTimeField, ExpressionWrapper, F, QuerySet, Window
from django.db.models.functions import Now, RowNumber
from django.utils.translation import gettext as _

from acciones.executors.webhook import url_of
from acciones.models import Connection, Customer, Event, Proposal, Run
from acciones.offered import offered
from maya.lib.shown import visible

from . import wording
from .outcome import outcome
from .reach import Reach

MESSAGES_SHOWN = 6
"""How much of the talk before a proposal an approver gets beside it."""
SPOKEN = ("message.received", "message.completed")


@dataclass(frozen=True)
class Said:
    """One message of the conversation behind a request."""

    by_customer: bool
    text: str


@dataclass(frozen=True)
class Person:
    """The customer of a request and how they are known."""

    name: str
    id: str
    email: str
    how: str
    verified: bool


@dataclass(frozen=True)
class Request:
    """Everything about one run that a decision rests on.

    ``card`` is what the customer was shown: inputs, evidence, the digest's beginning.
    """

    run: Run
    proposal: Proposal
    card: dict[str, Any]
    amount: str
    target: str
    person: Person
    endpoint: str
    body: str
    body_raw: str
    said: list[Said]
    may_decide: bool
    is_own: bool
    waits: bool
    outcome: str

    @property
    def left(self) -> str:
        """Return the time left in words."""
        return wording.left(self.run.expires_at)


def waiting(reach: Reach) -> "QuerySet[Run]":
    """Return the runs that wait for an owner's decision now, the oldest first.

    The database's clock says what still waits, as it does in the decision itself.
    """
    # Bare, the comparison looks rare to the planner (nearly every run is over), and it
    # would sort all that waits instead of walking the inbox's own index
    until = ExpressionWrapper(
        F("expires_at") + timedelta(0), output_field=DateTimeField()
    )
    waits = Run.objects.filter(state=Run.State.AWAITING_OWNER).alias(until=until)
    return reach.narrow(waits.filter(until__gt=Now()), "site_id").order_by(
        "confirmed_at", "pk"
    )


def in_order(keys: list[UUID]) -> "QuerySet[Run]":
    """Return these runs, loaded, the oldest first.

    By their keys: inside one statement the planner would join all that waits, and
    choose afterwards.
    """
    return loaded(Run.objects.filter(pk__in=keys)).order_by("confirmed_at", "pk")


def loaded(runs: "QuerySet[Run]") -> "QuerySet[Run]":
    """Join what a request shows: three queries, however many runs."""
    return runs.select_related(
        "site",
        "action__connection",
        "visitor__customer",
        "proposal__customer",
        "consent",
    ).prefetch_related("proposal__evidence", "decisions")


def requests(runs: Iterable[Run], reach: Reach) -> list[Request]:
    """Turn loaded runs into what the page shows; one more query, for the talk."""
    rows = list(runs)
    said = conversations(rows)
    return [_request(run, reach, said.get(run.conversation_id, [])) for run in rows]


def _request(run: Run, reach: Reach, said: list[Said]) -> Request:
    proposal = run.proposal
    member = reach.member(run.site_id)
    decided = any(
        member is not None and d.member_id == member.pk for d in run.decisions.all()
    )
    own = _is_own(member.customer_id if member else "", proposal.customer)
    waits = run.state == Run.State.AWAITING_OWNER and not decided
    return Request(
        run=run,
        proposal=proposal,
        card=offered(run, proposal, list(proposal.evidence.all())),
        amount=wording.money(proposal),
        target=visible(f"{proposal.target_kind} {proposal.target_ref}".strip()),
        person=person(proposal.customer),
        endpoint=endpoint(run),
        body=wording.pretty(proposal.body),
        body_raw=wording.raw(proposal.body),
        said=said,
        may_decide=waits and reach.decides(run.site_id) and not own,
        is_own=own,
        waits=waits,
        outcome="" if waits else outcome(run),
    )


def _is_own(identity: str, customer: Customer | None) -> bool:
    """Say whether the member asked for this as the site's customer."""
    return bool(identity) and customer is not None and customer.external_id == identity


def person(customer: Customer | None) -> Person:
    """Return who asks, and on whose word we believe it."""
    if customer is None:
        how = _("Sin verificar: visitante anónimo")
        return Person(name="", id="", email="", how=how, verified=False)
    return Person(
        name=visible(customer.name),
        id=visible(customer.external_id),
        email=visible(customer.email),
        how=_("Verificado: tu sitio firmó su identidad"),
        verified=True,
    )


def endpoint(run: Run) -> str:
    """Return where the request goes: ``POST https://…`` or the MCP tool."""
    connection = run.action.connection
    if connection.kind == Connection.Kind.MCP:
        return f"MCP {connection.url} · {run.action.path}"
    return f"POST {url_of(run.action)}"


def conversations(runs: Sequence[Run]) -> dict[Any, list[Said]]:
    """Return the last messages of each run's conversation, in their order."""
    found: dict[Any, list[Said]] = defaultdict(list)
    newest_first = Window(
        RowNumber(), partition_by=F("conversation_id"), order_by=F("position").desc()
    )
    events = (
        Event.objects.filter(
            conversation_id__in={run.conversation_id for run in runs}, type__in=SPOKEN
        )
        .annotate(back=newest_first)
        .filter(back__lte=MESSAGES_SHOWN)
        .order_by("position")
    )
    for event in events:
        by_customer = event.type == SPOKEN[0]
        text = visible_paragraphs(str(event.payload["text"]))
        found[event.conversation_id].append(Said(by_customer, text))
    return found


def visible_paragraphs(text: str) -> str:
    """Make hidden characters visible, and leave line breaks what they are."""
    return "\n".join(visible(line) for line in text.splitlines())
