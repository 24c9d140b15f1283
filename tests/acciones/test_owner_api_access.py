"""The owner API's doors: tokens, scopes, roles, other sites, and noise."""

import uuid
from datetime import timedelta
from typing import Any

import pytest
from django.db.models.functions import Now
from django.test import Client

from acciones.api.owner import throttle
from acciones.api.owner.token import issue
from acciones.errors import BadInput, Forbidden
from acciones.models import ApiToken, AuditEntry, Member
from tests.acciones import cast as people
from tests.acciones.cast import Cast, fresh
from tests.acciones.owner import call, decide, key


@pytest.fixture
def house(db: None) -> Cast:
    return people.assemble("https://shop.example")


PATHS = ["runs", "runs/{run}", "actions", "actions/{action}"]


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("token", ["", "maya_", "maya_" + "x" * 43, "x", "ñ\udcff"])
def test_nothing_without_a_token(house: Cast, path: str, token: str) -> None:
    run = house.confirmed()
    where = path.format(run=run.pk, action=house.refund.pk)
    answer = call("GET", where, token.encode("utf-8", "replace").decode("latin-1"))
    assert (answer.status_code, answer.json()["code"]) == (401, "token_required")
    assert answer["WWW-Authenticate"] == 'Bearer realm="maya"'


def test_sessions_and_visitors_tokens_open_nothing(house: Cast) -> None:
    run = house.confirmed()
    client = Client()
    client.force_login(house.owner.user)
    assert client.get(f"/api/owner/runs/{run.pk}").status_code == 401
    assert call("GET", "runs", house.tokens["ana"]).status_code == 401
    in_address = client.get(f"/api/owner/runs?token={key(house.owner)}")
    assert in_address.status_code == 401


def test_a_token_ends_by_time_by_hand_and_with_its_member(house: Cast) -> None:
    late, revoked, gone = (key(house.owner) for _ in range(3))
    short = key(house.owner, lives=timedelta(minutes=5))
    rows = list(ApiToken.objects.order_by("pk"))
    assert call("GET", "runs", short).status_code == 200
    ApiToken.objects.filter(pk=rows[0].pk).update(expires_at=Now())
    ApiToken.objects.filter(pk=rows[1].pk).update(revoked_at=Now())
    assert call("GET", "runs", late).status_code == 401
    assert call("GET", "runs", revoked).status_code == 401
    assert call("GET", "runs", gone).status_code == 200
    house.owner.user.is_active = False
    house.owner.user.save()
    assert call("GET", "runs", gone).status_code == 401
    house.owner.user.is_active = True
    house.owner.user.save()
    house.owner.delete()
    assert call("GET", "runs", gone).status_code == 401


def test_only_hashes_of_tokens_are_stored(house: Cast) -> None:
    token = key(house.owner)
    call("GET", "runs", token)
    stored = str(list(ApiToken.objects.values())) + str(
        list(AuditEntry.objects.values())
    )
    assert token not in stored
    assert token[:10] in stored


@pytest.mark.parametrize(
    ("scope", "allowed"),
    [
        ("runs:read", {"runs", "runs/{run}"}),
        ("actions:read", {"actions", "actions/{action}"}),
        ("runs:decide", {"approve"}),
    ],
)
def test_a_scope_opens_what_it_names(
    house: Cast, scope: str, allowed: set[str]
) -> None:
    run = house.confirmed()
    token = key(house.owner, scope)
    for path in PATHS:
        where = path.format(run=run.pk, action=house.refund.pk)
        answer = call("GET", where, token)
        assert answer.status_code == (200 if path in allowed else 403)
        if path not in allowed:
            assert answer.json()["code"] == "scope_missing"
    decided = decide("approve", run, token)
    assert decided.status_code == (200 if "approve" in allowed else 403)


def test_a_token_does_no_more_than_its_member(house: Cast) -> None:
    run = house.confirmed()
    with pytest.raises(Forbidden):
        key(house.viewer, "runs:decide")
    token = key(house.teammate)
    Member.objects.filter(pk=house.teammate.pk).update(role="viewer")
    answer = decide("approve", run, token)
    assert (answer.status_code, answer.json()["code"]) == (403, "forbidden")
    assert fresh(run).state == "awaiting_owner"
    entry = AuditEntry.objects.latest("pk")
    assert (entry.kind, entry.verb, entry.subject_id) == (
        "access",
        "api.refused",
        str(run.pk),
    )


def test_nobody_approves_what_they_asked_for_themselves(house: Cast) -> None:
    run = house.confirmed()
    Member.objects.filter(pk=house.owner.pk).update(customer_id="ana")
    token = key(Member.objects.get(pk=house.owner.pk))
    shown = call("GET", f"runs/{run.pk}", token).json()
    assert shown["may_decide"] is False
    assert decide("approve", run, token).status_code == 403


def test_another_sites_runs_and_actions_never_existed(house: Cast) -> None:
    run = house.confirmed()
    token = key(house.outsider)
    assert call("GET", "runs", token).json() == {"runs": [], "next": None}
    assert call("GET", "actions", token).json() == {"actions": []}
    theirs = [
        call("GET", f"runs/{run.pk}", token),
        decide("approve", run, token),
        decide("reject", run, token),
        call("GET", f"actions/{house.refund.pk}", token),
    ]
    ghost = call("GET", f"runs/{uuid.uuid4()}", token)
    for answer in theirs:
        assert answer.status_code == 404
        assert answer.content == ghost.content
    assert fresh(run).state == "awaiting_owner"


@pytest.mark.parametrize("scopes", [[], ["runs:write"], ["runs:read", "*"]])
def test_tokens_without_known_scopes_are_not_made(
    house: Cast, scopes: list[str]
) -> None:
    with pytest.raises(BadInput):
        issue(house.owner, name="x", scopes=scopes)


@pytest.fixture
def uncounted() -> Any:
    """Forget what other tests were counted for, and any pause."""
    throttle.TokenThrottle.paused_until = 0.0
    yield
    throttle.TokenThrottle.paused_until = 0.0


def test_a_noisy_program_is_slowed_down(
    house: Cast, monkeypatch: pytest.MonkeyPatch, uncounted: None
) -> None:
    monkeypatch.setattr("acciones.api.owner.runs.Runs.per_minute", 3)
    # A minute that no other run of this test counts in
    minute = 60.0 * (uuid.uuid4().int % 10**9) + 10
    monkeypatch.setattr(throttle, "now", lambda: minute)
    token, other = key(house.owner), key(house.owner)
    codes = [call("GET", "runs", token).status_code for _ in range(5)]
    assert codes == [200, 200, 200, 429, 429]
    slowed = call("GET", "runs", token)
    assert slowed.json()["code"] == "throttled"
    assert 0 < int(slowed["Retry-After"]) <= 60
    # Reading too much keeps nobody from deciding, nor another token from reading
    assert call("GET", "runs", other).status_code == 200
    assert decide("approve", house.confirmed(), token).status_code == 200


def test_without_redis_everybody_is_let_in(
    house: Cast,
    settings: Any,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    uncounted: None,
) -> None:
    monkeypatch.setattr("acciones.api.owner.runs.Runs.per_minute", 1)
    settings.REDIS_URL = "redis://127.0.0.1:9/0"
    token = key(house.owner)
    codes = [call("GET", "runs", token).status_code for _ in range(3)]
    assert codes == [200, 200, 200]
    assert [r.getMessage() for r in caplog.records if "not counted" in r.getMessage()]
