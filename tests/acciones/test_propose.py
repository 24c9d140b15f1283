"""What may be proposed at all: inputs, evidence, quotas, and who asks."""

import json

import pytest

from acciones.errors import (
    BadInput,
    Disabled,
    EvidenceMissing,
    QuotaReached,
    SignInRequired,
)
from acciones.models import Action, Conversation, Event, Evidence, Run
from acciones.publish import publish
from acciones.steps.propose import propose

from .cast import Cast, talk


def test_signing_in_comes_first(cast: Cast) -> None:
    with pytest.raises(SignInRequired):
        cast.offer(visitor=cast.anonymous)


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"order_id": "4821"},
        {"order_id": "4821", "amount": "79.00", "extra": "x"},
        {"order_id": 4821, "amount": "79.00"},
        {"order_id": "  ", "amount": "79.00"},
        {"order_id": "48\x0021", "amount": "79.00"},
        {"order_id": "4821; DROP", "amount": "79.00"},
        {"order_id": "4" * 13, "amount": "79.00"},
        *(
            {"order_id": "4821", "amount": amount}
            for amount in ("1e3", "-5", "0", "79.005", "79,00", "NaN", "٧٩", "\u202e79")
        ),
    ],
)
def test_bad_arguments_are_not_proposed(cast: Cast, arguments: dict[str, str]) -> None:
    with pytest.raises(BadInput):
        propose(conversation=cast.conversation, action=cast.refund, arguments=arguments)
    assert not Run.objects.exists()


def test_invisible_characters_are_kept_and_shown(cast: Cast) -> None:
    cast.cancel.inputs = [{"name": "order_id", "max_length": 50}]
    cast.cancel.save()
    publish(cast.cancel)
    order = "A\u202e1\U000e01002\u31643"
    run = cast.offer(order=order, action=cast.cancel)
    assert json.loads(bytes(run.proposal.body))["input"]["order_id"] == order
    payload = Event.objects.get(run_id=run.pk).payload
    assert payload["input"][0]["shown"] == "A⟨U+202E⟩1⟨U+E0100⟩2⟨U+3164⟩3"


def test_evidence_is_demanded_by_code(cast: Cast) -> None:
    cast.refund.evidence_kinds = ["lookup:get_order", "policy"]
    cast.refund.save()
    publish(cast.refund)
    with pytest.raises(EvidenceMissing):
        cast.offer()

    def piece(kind: str, source: str, reference: str, where: Conversation) -> Evidence:
        return Evidence.objects.create(
            conversation=where,
            kind=kind,
            source=source,
            reference=reference,
            quote="…",
            observed={},
            fingerprint="0" * 64,
        )

    policy = piece("policy", "returns", "returns-policy:section-3", cast.conversation)
    other = piece("lookup", "get_order", "order:4822", cast.conversation)
    order = piece("lookup", "get_order", "order:4821", cast.conversation)
    foreign = piece(
        "lookup", "get_order", "order:4821", talk(cast.site, cast.other_customer)
    )
    for wrong in ([policy], [order], [policy, other], [policy, foreign]):
        with pytest.raises(EvidenceMissing):
            cast.offer(evidence=wrong)
    assert cast.offer(evidence=[policy, order]).state == Run.State.REQUESTED


def test_open_offers_are_counted(cast: Cast) -> None:
    cast.site.open_per_visitor = 2
    cast.site.save()
    for _ in range(2):
        cast.offer(conversation=talk(cast.site, cast.customer))
    with pytest.raises(QuotaReached):
        cast.offer(conversation=talk(cast.site, cast.customer))


def test_a_disabled_or_foreign_action_is_not_proposed(cast: Cast) -> None:
    elsewhere = talk(cast.outsider.site, cast.customer)
    with pytest.raises(Disabled):
        cast.offer(conversation=elsewhere)
    Action.objects.filter(pk=cast.refund.pk).update(enabled=False)
    cast.refund.refresh_from_db()
    with pytest.raises(Disabled):
        cast.offer()
