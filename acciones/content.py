"""What is sent and what is signed off: the stored body and the digest over it.

Key order and fields of the body are the seed's (002, "Qué recibe tu endpoint").
"""

import hashlib
from typing import Any

from maya.lib import canonical

from .models import Action, Evidence, Proposal, Run

BODY_VERSION = 1


def body(
    action: Action,
    *,
    run_id: str,
    site_public_id: str,
    values: dict[str, Any],
    session: dict[str, Any],
    customer: dict[str, Any] | None,
    evidence: list[Evidence],
) -> bytes:
    """Return the exact bytes that every attempt of this run will send."""
    if action.is_mcp:
        return _tool_call(action, run_id=run_id, values={**session, **values})
    request: dict[str, Any] = {
        "version": BODY_VERSION,
        "action": action.name,
        "runId": run_id,
        "requestId": run_id,
        "siteId": site_public_id,
        "input": {**session, **values},
        "customer": customer,
    }
    if action.sends_precondition:
        request["precondition"] = [
            {
                "reference": item.reference,
                "fingerprint": item.fingerprint,
                "observed": item.observed,
            }
            for item in evidence
        ]
    return canonical.compact(request)


def _tool_call(action: Action, *, run_id: str, values: dict[str, Any]) -> bytes:
    arguments, place = dict(values), action.key_place
    if "argument" in place:
        arguments[place["argument"]] = run_id
    call: dict[str, Any] = {"name": action.path, "arguments": arguments}
    if "meta" in place:
        call["_meta"] = {place["meta"]: run_id}
    return canonical.compact(call)


def digest(
    *,
    site: str,
    action: str,
    version: int,
    body: bytes,
    target: str,
    amount_minor: int | None,
    currency: str,
    customer_id: str | None,
    fingerprints: list[str],
) -> str:
    """Return SHA-256 over the canonical JSON of everything a person agrees to."""
    return canonical.sha256(
        {
            "site": site,
            "action": action,
            "version": version,
            "body": hashlib.sha256(body).hexdigest(),
            "target": target,
            "amount_minor": amount_minor,
            "currency": currency or None,
            "customer": customer_id,
            "evidence": sorted(fingerprints),
        }
    )


def digest_of(run: Run, proposal: Proposal) -> str:
    """Compute a stored proposal's digest anew, from the rows as they are now."""
    return digest(
        site=run.site.public_id,
        action=run.action.name,
        version=proposal.version,
        body=bytes(proposal.body),
        target=run.target,
        amount_minor=proposal.amount_minor,
        currency=proposal.currency,
        customer_id=proposal.customer.external_id if proposal.customer else None,
        fingerprints=[item.fingerprint for item in proposal.evidence.all()],
    )
