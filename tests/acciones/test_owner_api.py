"""The owner API: one member's token, the admin's steps and rules, nothing more."""

import json
from typing import Any

import pytest
from django.db.models.functions import Now

from acciones.models import AuditEntry, Decision, Run
from acciones.steps.reject import reject
from tests.acciones import cast as people
from tests.acciones.cast import Cast, fresh, talk
from tests.acciones.owner import call, decide, key


@pytest.fixture
def house(db: None) -> Cast:
    return people.assemble("https://shop.example")


def test_a_run_is_shown_with_all_that_a_decision_rests_on(house: Cast) -> None:
    run = house.confirmed()
    answer = call("GET", f"runs/{run.pk}", key(house.owner))
    assert answer.status_code == 200
    body = answer.json()
    assert body["digest"] == run.digest
    assert body["state"] == "awaiting_owner"
    assert body["amount"] == {"minor": 7900, "currency": "EUR", "exponent": 2}
    assert body["customer"] == {
        "id": "ana",
        "shown": "Ana López",
        "email": "ana@example.com",
    }
    assert body["may_decide"] is True
    assert "confirmation" not in body
    assert answer["Cache-Control"] == "no-store"


def test_approving_queues_and_is_recorded_like_anywhere(house: Cast) -> None:
    run = house.confirmed()
    answer = decide("approve", run, key(house.owner), reason=" Claro ")
    assert answer.status_code == 200
    assert answer.json()["state"] == "queued"
    decision = Decision.objects.get()
    assert (decision.surface, decision.reason, decision.digest, decision.member) == (
        "api",
        "Claro",
        run.digest,
        house.owner,
    )
    shown = answer.json()["decisions"]
    assert [d["verdict"] for d in shown] == ["approve"]
    entry = AuditEntry.objects.get(kind="decision")
    assert (entry.surface, entry.address) == ("api", "127.0.0.1")


def test_rejecting_sends_nothing(house: Cast) -> None:
    run = house.confirmed()
    assert decide("reject", run, key(house.teammate)).json()["state"] == "rejected"
    assert fresh(run).attempts == 0


def test_a_late_decision_is_told_what_happened(house: Cast) -> None:
    run = house.confirmed()
    token = key(house.owner)
    reject(run.pk, member=house.teammate, surface="telegram", digest=run.digest)
    answer = decide("approve", run, token)
    assert answer.status_code == 409
    assert answer["Content-Type"] == "application/problem+json"
    body = answer.json()
    assert body["code"] == "wrong_state"
    assert body["run"]["state"] == "rejected"
    assert body["run"]["may_decide"] is False
    assert Decision.objects.count() == 1


def test_a_repeated_decision_changes_nothing(house: Cast) -> None:
    house.refund.quorum = 2
    house.refund.save()
    run = house.confirmed()
    token = key(house.owner)
    assert decide("approve", run, token).json()["state"] == "awaiting_owner"
    again = decide("approve", run, token)
    assert (again.status_code, again.json()["code"]) == (409, "already_decided")
    assert Decision.objects.count() == 1


def test_an_expired_decision_commits_the_expiry(house: Cast) -> None:
    run = house.confirmed()
    Run.objects.filter(pk=run.pk).update(expires_at=Now())
    answer = decide("approve", run, key(house.owner))
    assert (answer.status_code, answer.json()["code"]) == (409, "expired")
    assert fresh(run).state == "expired"


@pytest.mark.parametrize("digest", ["", "0" * 64, "short"])
def test_another_digest_decides_nothing(house: Cast, digest: str) -> None:
    run = house.confirmed()
    answer = decide("approve", run, key(house.owner), digest=digest)
    assert (answer.status_code, answer.json()["code"]) == (409, "digest_mismatch")
    assert fresh(run).state == "awaiting_owner"


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"reason": "x"},
        {"digest": 1},
        {"digest": "x", "reason": None},
        {"digest": "x", "verdict": "approve"},
        {"digest": "x", "reason": "y" * 5001},
        {"digest": "x", "reason": "a\x00b"},
        [],
    ],
)
def test_what_is_no_decision_is_refused(house: Cast, body: Any) -> None:
    run = house.confirmed()
    answer = call("POST", f"runs/{run.pk}/approve", key(house.owner), body)
    assert answer.status_code == 400
    assert fresh(run).state == "awaiting_owner"


def test_a_reason_of_5000_characters_is_kept_whole(house: Cast) -> None:
    run = house.confirmed()
    reason = "ñ" * 5000
    answer = decide("reject", run, key(house.owner), reason=reason)
    assert answer.json()["decisions"][0]["reason"] == reason


@pytest.mark.parametrize("method", ["GET", "HEAD", "OPTIONS", "PUT", "DELETE"])
def test_only_post_decides(house: Cast, method: str) -> None:
    run = house.confirmed()
    for verb in ("approve", "reject"):
        answer = call(method, f"runs/{run.pk}/{verb}", key(house.owner))
        assert answer.status_code in ({200} if method == "OPTIONS" else {405})
    assert fresh(run).state == "awaiting_owner"


def several(house: Cast, count: int) -> list[Run]:
    return [
        house.confirmed(order=str(n), conversation=talk(house.site, house.customer))
        for n in range(count)
    ]


def test_pages_follow_each_other_without_gap_or_repetition(house: Cast) -> None:
    runs = several(house, 7)
    # Two of the same instant, as one statement would make them
    Run.objects.filter(pk__in=[runs[2].pk, runs[3].pk]).update(created=runs[2].created)
    token, found, cursor = key(house.owner), [], ""
    for _ in range(4):
        page = call("GET", f"runs?limit=2&cursor={cursor}", token).json()
        found += [run["run_id"] for run in page["runs"]]
        cursor = page["next"]
        if cursor is None:
            break
    assert sorted(found) == sorted(str(run.pk) for run in runs)
    assert found[0] == str(runs[-1].pk)


def test_filters_narrow(house: Cast) -> None:
    first, second, _ = several(house, 3)
    reject(first.pk, member=house.owner, surface="admin", digest=first.digest)
    token = key(house.owner)

    def ids(query: str) -> set[str]:
        return {r["run_id"] for r in call("GET", f"runs?{query}", token).json()["runs"]}

    assert ids("state=rejected") == {str(first.pk)}
    assert len(ids("state=rejected,awaiting_owner")) == 3
    assert ids("target=order:1") == {str(second.pk)}
    assert ids("customer=luis") == set()
    assert len(ids("action=refund_order&customer=ana")) == 3


@pytest.mark.parametrize(
    "query",
    [
        "state=approved",
        "limit=0",
        "limit=101",
        "limit=x",
        "cursor=x",
        "cursor=MjAyNi0wMS0wMVQwMDowMDowMHx4",
        "site=otra",
        "customer=%00",
    ],
)
def test_questions_that_make_no_sense_are_refused(house: Cast, query: str) -> None:
    answer = call("GET", f"runs?{query}", key(house.owner))
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_input")


def test_looking_at_personal_data_is_audited(house: Cast) -> None:
    run = house.confirmed()
    token = key(house.teammate)
    call("GET", "runs", token)
    call("GET", f"runs/{run.pk}", token)
    listed, shown = AuditEntry.objects.filter(kind="view").order_by("pk")
    assert (listed.verb, listed.after) == ("list", {"runs": [str(run.pk)]})
    assert (shown.verb, shown.subject_id) == ("show", str(run.pk))
    assert shown.who == house.teammate.user.get_username()
    assert "Cuadro de mando" in shown.note


def test_the_number_of_queries_does_not_grow(
    house: Cast, django_assert_max_num_queries: Any
) -> None:
    several(house, 6)
    token = key(house.owner)
    with django_assert_max_num_queries(8):
        assert len(call("GET", "runs", token).json()["runs"]) == 6


def test_actions_show_their_rules_and_no_secret(house: Cast) -> None:
    house.connection.headers = {"Authorization": "Bearer hush"}
    house.connection.save()
    token = key(house.owner)
    listed = call("GET", "actions", token).json()["actions"]
    assert [a["name"] for a in listed] == [
        "cancel_order",
        "refund_order",
        "get_order",
        "order_status_by_run",
    ]
    shown = call("GET", f"actions/{house.refund.pk}", token).json()
    assert shown["tool"] == "change_refund_order"
    assert shown["money"] == {"input": "amount", "currency": "EUR", "exponent": 2}
    assert "hush" not in json.dumps(listed)
