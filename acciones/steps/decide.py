"""What approving and rejecting have in common: who may, on what, and once."""

from typing import Any
from uuid import UUID

from django.db import IntegrityError, transaction

from acciones import audit, events
from acciones.errors import AlreadyDecided, Forbidden, NotFound, StaleDigest
from acciones.models import Member, Run
from maya.lib import trace

from .lost import explain

REASON_LENGTH = 5000

DECISION = """
INSERT INTO acciones_decision
    (run_id, member_id, member_name, verdict, surface, reason, digest, created)
SELECT id, %(member)s, %(member_name)s, %(verdict)s, %(surface)s, %(why)s, digest,
       clock_timestamp()
FROM moved
"""


def decide(
    run_id: UUID | str,
    *,
    member: Member,
    verdict: str,
    surface: str,
    digest: str,
    reason: str,
    **change: Any,
) -> Run:
    """Record one member's decision with the transition it makes.

    ``digest`` is what the member had in front of them. Raises ``NotFound``,
    ``Forbidden``, ``StaleDigest``, ``AlreadyDecided``, ``Expired`` or ``WrongState``.
    """
    run = _decidable(run_id, member)
    if digest != run.digest:
        raise StaleDigest
    with trace.span(verdict, parent=run.trace, run=run.pk):
        return _record(run, member, verdict, surface, digest, reason, change)


def _record(
    run: Run,
    member: Member,
    verdict: str,
    surface: str,
    digest: str,
    reason: str,
    change: dict[str, Any],
) -> Run:
    params = {
        "digest": digest,
        "member": member.pk,
        "member_name": str(member.user.get_username()),
        "verdict": verdict,
        "surface": surface,
        "why": reason[:REASON_LENGTH],
    }
    try:
        with transaction.atomic():
            row = events.transition(
                run.pk,
                sources=[Run.State.AWAITING_OWNER],
                where="AND digest = %(digest)s AND expires_at > clock_timestamp()",
                params=params,
                also={"decision": DECISION},
                type="run.status",
                **change,
            )
            if row is not None:
                _audit(run, row, member, params)
    except IntegrityError as error:
        if "decision_once" not in str(error):
            raise
        raise AlreadyDecided from error
    if row is None:
        explain(run.pk)
    run.refresh_from_db()
    return run


def _audit(
    run: Run, row: dict[str, Any], member: Member, decision: dict[str, Any]
) -> None:
    audit.record(
        audit.Kind.DECISION,
        decision["verdict"],
        site=run.site,
        user=member.user,
        surface=decision["surface"],
        subject="run",
        subject_id=run.pk,
        before={"state": run.state, "approvals": run.approvals},
        after={
            "state": row["state"],
            "approvals": row["approvals"],
            "digest": decision["digest"],
            "reason": decision["why"],
        },
    )


def _decidable(run_id: UUID | str, member: Member) -> Run:
    run = (
        Run.objects.select_related("proposal__customer", "site")
        .filter(pk=run_id, site=member.site_id)
        .first()
    )
    if run is None:
        raise NotFound
    # Membership is read again: a removed member's old page must not decide
    current = Member.objects.select_related("user").filter(pk=member.pk).first()
    if current is None or not current.may_decide or not current.user.is_active:
        raise Forbidden
    customer = run.proposal.customer
    if customer and current.customer_id and customer.external_id == current.customer_id:
        raise Forbidden("Nadie aprueba lo que pidió como cliente.")
    return run
