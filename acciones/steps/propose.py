"""Propose: store one exact change, on offer for fifteen minutes."""

import uuid
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import IntegrityError, connection, transaction
from django.db.models.functions import Now

from acciones import conditions, content, events, inputs
from acciones.errors import (
    BadInput,
    Disabled,
    EvidenceMissing,
    QuotaReached,
    SignInRequired,
)
from acciones.models import Action, Conversation, Evidence, Proposal, Run
from acciones.offered import offered
from maya.lib import trace

from .lock import lock_offers

RACES = 3


def propose(
    *,
    conversation: Conversation,
    action: Action,
    arguments: dict[str, Any],
    evidence: Sequence[Evidence] = (),
    surface: str = "chat",
) -> Run:
    """Store a proposal and its run; an open one of the same action is replaced.

    Nothing leaves: this only writes what a customer may then confirm. Raises
    ``Disabled``, ``SignInRequired``, ``BadInput``, ``EvidenceMissing`` or
    ``QuotaReached``.
    """
    if (
        not action.enabled
        or not action.version
        or action.kind != Action.Kind.CHANGE
        or action.site_id != conversation.site_id
    ):
        raise Disabled
    if conversation.closed is not None:
        raise Disabled("Esta conversación está cerrada.")
    with trace.span("propose", conversation=conversation.pk, action=action.name):
        return _propose(conversation, action, arguments, list(evidence), surface)


def _propose(
    conversation: Conversation,
    action: Action,
    arguments: dict[str, Any],
    evidence: list[Evidence],
    surface: str,
) -> Run:
    run, proposal = _compose(conversation, action, arguments, evidence)
    for _ in range(RACES):
        try:
            with transaction.atomic():
                _store(run, proposal, evidence, surface)
        except IntegrityError as error:
            # Somebody offered the same action in between: replace that one instead
            if "run_one_open_offer" not in str(error):
                raise
        else:
            return run
    raise BadInput("Hay otra propuesta en camino. Inténtalo de nuevo.")


def _compose(
    conversation: Conversation,
    action: Action,
    arguments: dict[str, Any],
    evidence: list[Evidence],
) -> tuple[Run, Proposal]:
    customer = conversation.visitor.customer
    if action.requires_customer and customer is None:
        raise SignInRequired
    values = inputs.validated(action, arguments)
    session = inputs.bound(action, customer)
    money = inputs.money(action, values)
    kind, reference = inputs.target(action, {**session, **values})
    _require_evidence(action, conversation, evidence, f"{kind}:{reference}")
    run_id = uuid.uuid4()
    body = content.body(
        action,
        run_id=str(run_id),
        site_public_id=conversation.site.public_id,
        values=values,
        session=session,
        customer=customer.wire() if customer else None,
        evidence=evidence,
    )
    minor, currency, exponent = money or (None, "", 2)
    customer_id = customer.external_id if customer else None
    target = f"{kind}:{reference}" if reference else ""
    digest = content.digest(
        site=conversation.site.public_id,
        action=action.name,
        version=action.version,
        body=body,
        target=target,
        amount_minor=minor,
        currency=currency,
        customer_id=customer_id,
        fingerprints=[item.fingerprint for item in evidence],
    )
    run = Run(
        id=run_id,
        site=conversation.site,
        conversation=conversation,
        visitor=conversation.visitor,
        action=action,
        target=target,
        digest=digest,
        state=Run.State.REQUESTED,
        needs_owner=conditions.needs_owner(
            action, values=values, amount_minor=minor, customer_id=customer_id
        ),
        quorum=action.quorum,
        trace=trace.carrier(),
    )
    proposal = Proposal(
        run=run,
        version=action.version,
        input={**session, **values},
        target_kind=kind,
        target_ref=reference,
        amount_minor=minor,
        currency=currency,
        exponent=exponent,
        customer=customer,
        observed=[
            {"reference": item.reference, "values": item.observed} for item in evidence
        ],
        body=body,
        digest=digest,
    )
    return run, proposal


def _require_evidence(
    action: Action, conversation: Conversation, evidence: list[Evidence], target: str
) -> None:
    """Demand the kinds that the action asks for, of this conversation alone.

    ``policy`` asks for any passage; ``lookup:get_order`` asks for that lookup, read
    on the very record that would change.
    """
    if any(item.conversation_id != conversation.pk for item in evidence):
        raise EvidenceMissing
    held = {item.kind for item in evidence}
    held |= {
        f"{item.kind}:{item.source}" for item in evidence if item.reference == target
    }
    missing = [kind for kind in action.evidence_kinds if kind not in held]
    if missing:
        raise EvidenceMissing(
            "Faltan pruebas para proponer este cambio.", missing=missing
        )


def _store(
    run: Run, proposal: Proposal, evidence: list[Evidence], surface: str
) -> None:
    lock_offers(run.conversation_id)
    _check_quota(run)
    replaced = _replace_open(run)
    run.seq = 0
    # Time is the database's, here as at every later transition
    run.expires_at = Now() + timedelta(seconds=settings.MAYA_PROPOSAL_SECONDS)
    run.save(force_insert=True)
    run.refresh_from_db(fields=["expires_at", "created"])
    proposal.run = run
    proposal.save(force_insert=True)
    proposal.evidence.set(evidence)
    payload = offered(run, proposal, evidence) | {"surface": surface}
    if replaced:
        payload["replaces"] = replaced
    events.append(events.RUN, run.pk, type="proposal.created", payload=payload)
    run.seq = 1


def _replace_open(run: Run) -> str:
    """Cancel (or let expire) the open offer of this action in this conversation."""
    open_run = (
        Run.objects.filter(
            action=run.action,
            conversation=run.conversation,
            state=Run.State.REQUESTED,
        )
        .values_list("pk", flat=True)
        .first()
    )
    if open_run is None:
        return ""
    events.transition(
        open_run,
        sources=[Run.State.REQUESTED],
        sets={
            "state": "CASE WHEN expires_at <= clock_timestamp() "
            "THEN 'expired' ELSE 'cancelled' END",
            "reason": "CASE WHEN expires_at <= clock_timestamp() "
            "THEN '' ELSE 'replaced' END",
            "finished_at": "clock_timestamp()",
        },
        type="run.status",
        payload={"status": Run.State.CANCELLED, "replaced_by": str(run.pk)},
        payload_more="jsonb_build_object('status', moved.state, "
        "'reason', moved.reason)",
    )
    return str(open_run)


def _check_quota(run: Run) -> None:
    """Bound open offers per visitor and per site, exactly: one proposer at a time."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(4821, %s)", [run.site_id])
    waiting = Run.objects.filter(
        site=run.site, state=Run.State.REQUESTED, expires_at__gt=Now()
    ).exclude(action=run.action, conversation=run.conversation)
    if (
        waiting.filter(visitor=run.visitor).count() >= run.site.open_per_visitor
        or waiting.count() >= run.site.open_per_site
    ):
        raise QuotaReached
