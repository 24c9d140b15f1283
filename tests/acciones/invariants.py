"""What holds for every run at every moment, read from the rows alone."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator
from typing import Any
from uuid import UUID

from django.db.models import Count, Max, Min

from acciones import content
from acciones.models import Attempt, Conversation, Decision, Event, Run, Site

# The edges of the drawn machine (docs/changes.md)
LEGAL: dict[str, set[str]] = {
    "": {"requested"},
    "requested": {"awaiting_owner", "queued", "cancelled", "expired"},
    "awaiting_owner": {"awaiting_owner", "queued", "rejected", "expired"},
    "queued": {"running"},
    "running": {"running", "queued", "pending", "unknown", "done", "failed"},
    "pending": {"done", "failed"},
    "unknown": {"running", "pending", "done", "failed"},
    "done": {"done"},  # read back, and now verified
}


def broken(runs: Iterable[Run]) -> list[str]:
    """Return a sentence for every rule that one of these runs breaks."""
    found = list(runs)
    ids = [run.pk for run in found]
    events, tries = _by_run(Event, ids, "seq"), _by_run(Attempt, ids, "number")
    decisions = _by_run(Decision, ids, "created")
    problems: list[str] = []
    for run in found:
        rules = [
            *_walk(run, events[run.pk]),
            *_digests(run, [*tries[run.pk], *decisions[run.pk]]),
            *_attempts(run, tries[run.pk]),
            *_leave(run, decisions[run.pk]),
        ]
        problems += [f"{run.pk} ({run.state}): {rule}" for rule in rules]
    conversations = {run.conversation_id for run in found}
    return problems + list(_positions(conversations)) + list(_crowded(conversations))


def of_site(site_id: int, ids: Collection[UUID]) -> list[Run]:
    """Return these runs of a site with all that the rules look at."""
    return list(
        Run.objects.filter(site=site_id, pk__in=ids)
        .select_related("site", "action", "proposal__customer", "consent")
        .prefetch_related("proposal__evidence")
        .order_by("created")
    )


def _by_run(model: Any, ids: list[UUID], order: str) -> dict[UUID, list[Any]]:
    grouped: dict[UUID, list[Any]] = defaultdict(list)
    for row in model.objects.filter(run_id__in=ids).order_by(order):
        grouped[row.run_id].append(row)
    return grouped


def _walk(run: Run, events: list[Event]) -> Iterator[str]:
    """The log alone tells a legal way from nothing to the state of now."""
    if [event.seq for event in events] != list(range(1, run.seq + 1)):
        yield f"seq is not dense up to {run.seq}"
    states = [
        "requested" if event.type == "proposal.created" else event.payload["status"]
        for event in events
    ]
    for before, after in zip(["", *states], states, strict=False):
        if after not in LEGAL.get(before, set()):
            yield f"{before or 'nothing'} → {after} is no edge of the machine"
    if not states or states[-1] != run.state:
        yield f"the log ends in {states[-1:]}"
    if len({state for state in states if state in Run.FINAL}) > 1:
        yield "it ended more than once"
    if states.count("done") > (2 if run.effect == Run.Effect.VERIFIED else 1):
        yield "it was done more than once"


def _digests(run: Run, signed_off: list[Attempt | Decision]) -> Iterator[str]:
    digests = {run.digest, run.proposal.digest, content.digest_of(run, run.proposal)}
    digests |= {row.digest for row in signed_off}
    if hasattr(run, "consent"):
        digests.add(run.consent.digest)
    if len(digests) != 1:
        yield f"digests differ: {digests}"


def _attempts(run: Run, tries: list[Attempt]) -> Iterator[str]:
    if [row.number for row in tries] != list(range(1, run.attempts + 1)):
        yield f"attempts are not dense up to {run.attempts}"
    if not all(row.verdict for row in tries[:-1]):
        yield "an attempt began before the last one was given up"
    answers = {row.verdict for row in tries} & {"done", "failed"}
    if answers and run.state not in Run.FINAL:
        yield f"an attempt was answered {answers}"


def _leave(run: Run, decisions: list[Decision]) -> Iterator[str]:
    """Nothing is dispatched without the consents that it needs."""
    went = run.attempts > 0 or run.state in {"queued", "running", "pending", "unknown"}
    if not went:
        return
    if not hasattr(run, "consent"):
        yield "it went on without a consent"
    verdicts = [decision.verdict for decision in decisions]
    if run.needs_owner and verdicts != ["approve"] * max(run.quorum, 1):
        yield f"it went on with the decisions {verdicts}"


def _positions(conversations: set[UUID]) -> Iterator[str]:
    rows = (
        Conversation.objects.filter(pk__in=conversations)
        .annotate(
            many=Count("event"),
            low=Min("event__position", default=1),
            high=Max("event__position", default=0),
        )
        .values_list("pk", "position", "many", "low", "high")
    )
    for pk, position, many, low, high in rows:
        if (low, high, many) != (1, position, position):
            yield f"{pk}: positions are not dense: {low}–{high}, {many} of {position}"


def _crowded(conversations: set[UUID]) -> Iterator[str]:
    """One open offer per action and conversation; one in progress per record."""
    sites = Site.objects.filter(conversation__in=conversations)
    runs = Run.objects.filter(site__in=sites).exclude(state__in=Run.FINAL)
    offers, busy = Counter[Any](), Counter[Any]()
    for state, site, action, where, target in runs.values_list(
        "state", "site", "action", "conversation", "target"
    ):
        if state == Run.State.REQUESTED:
            offers[action, where] += 1
        elif target:
            busy[site, action, target] += 1
    for place, many in (offers + busy).items():
        if many > 1:
            yield f"{many} runs at once on {place}"
