"""The audit: written with what it tells of, never changed, readable elsewhere."""

import csv
import io
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection, transaction
from django.urls import reverse

from acciones import audit
from acciones.errors import Forbidden, MayaError
from acciones.models import AuditEntry, Member
from acciones.steps.approve import approve
from acciones.steps.reject import reject
from tests.acciones import cast as people
from tests.acciones.cast import Cast, fresh


@pytest.fixture
def house(db: None) -> Cast:
    return people.assemble("https://shop.example")


def written() -> AuditEntry:
    return AuditEntry.objects.latest("pk")


def test_a_decision_is_audited_with_its_digest(house: Cast) -> None:
    run = house.confirmed()
    with audit.coming_from("203.0.113.9"):
        approve(
            run.pk,
            member=house.owner,
            surface="api",
            digest=run.digest,
            reason="Dentro de plazo",
        )
    entry = written()
    assert (entry.kind, entry.verb, entry.surface) == ("decision", "approve", "api")
    assert entry.who == house.owner.user.get_username()
    assert (entry.site_id, entry.site_name) == (house.site.pk, "tienda")
    assert (entry.subject, entry.subject_id) == ("run", str(run.pk))
    assert entry.address == "203.0.113.9"
    assert entry.before == {"state": "awaiting_owner", "approvals": 0}
    assert entry.after == {
        "state": "queued",
        "approvals": 1,
        "digest": run.digest,
        "reason": "Dentro de plazo",
    }


def test_a_refused_decision_leaves_no_decision_in_the_audit(house: Cast) -> None:
    run = house.confirmed()
    with pytest.raises(Forbidden):
        approve(run.pk, member=house.viewer, surface="admin", digest=run.digest)
    reject(run.pk, member=house.owner, surface="admin", digest=run.digest)
    with pytest.raises(MayaError):
        approve(run.pk, member=house.teammate, surface="admin", digest=run.digest)
    verbs = list(AuditEntry.objects.values_list("verb", flat=True))
    assert verbs == ["reject"]


@pytest.mark.django_db(transaction=True)
def test_a_decision_without_its_audit_does_not_happen(
    transactional_db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = people.assemble("https://shop.example", name="sola")
    run = house.confirmed()

    def broken(*args: Any, **kwargs: Any) -> None:
        raise DatabaseError("no room")

    monkeypatch.setattr(audit, "record", broken)
    with pytest.raises(DatabaseError):
        approve(run.pk, member=house.owner, surface="admin", digest=run.digest)
    assert fresh(run).state == "awaiting_owner"
    assert not run.decisions.exists()


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE acciones_auditentry SET who = 'nobody'",
        "UPDATE acciones_auditentry SET site_id = NULL, user_id = NULL",
        "DELETE FROM acciones_auditentry",
    ],
)
def test_the_database_refuses_to_change_or_drop_entries(
    house: Cast, statement: str
) -> None:
    audit.record(audit.Kind.SETTING, "change", surface="admin", site=house.site)
    with (
        pytest.raises(DatabaseError, match="append-only"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(statement)
    assert AuditEntry.objects.count() == 1


def test_retention_may_delete_when_it_says_so(house: Cast) -> None:
    audit.record(audit.Kind.SETTING, "change", surface="admin", site=house.site)
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL maya.retention = 'on'")
        cursor.execute("DELETE FROM acciones_auditentry")
        cursor.execute("SET LOCAL maya.retention = ''")
    assert not AuditEntry.objects.exists()


def test_entries_outlive_the_people_and_sites_they_name(house: Cast) -> None:
    run = house.confirmed()
    approve(run.pk, member=house.teammate, surface="admin", digest=run.digest)
    name, user_id = house.teammate.user.get_username(), house.teammate.user.pk
    Member.objects.filter(pk=house.teammate.pk).delete()
    house.teammate.user.delete()
    entry = written()
    assert (entry.who, entry.user_id) == (name, user_id)


def test_secrets_never_reach_the_audit(house: Cast) -> None:
    house.connection.headers = {"Authorization": "Bearer hush"}
    house.connection.save()
    audit.record(
        audit.Kind.SECRET,
        "change",
        surface="admin",
        site=house.site,
        before={"kid": "k1", "secret": "hush", "token_hash": "hush"},
        after=audit.fields_of(house.connection),
    )
    entry = written()
    assert entry.before == {"kid": "k1", "secret": "…", "token_hash": "…"}
    assert entry.after is not None
    assert entry.after["sealed_headers"] == "…"
    assert entry.after["url"] == "https://shop.example"
    assert "hush" not in str(entry.before) + str(entry.after)


def test_a_decision_in_the_admin_says_the_address(house: Cast, client: Any) -> None:
    run = house.confirmed()
    client.force_login(house.owner.user)
    client.post(
        reverse("admin:decide", args=[run.pk]),
        {"verdict": "approve", "digest": run.digest},
        REMOTE_ADDR="198.51.100.7",
        headers={"x-forwarded-for": "10.0.0.1"},
    )
    assert written().address == "198.51.100.7"
    assert written().surface == "admin"


def test_the_address_of_one_request_is_not_left_for_the_next(house: Cast) -> None:
    with audit.coming_from("198.51.100.7"):
        pass
    entry = audit.record(audit.Kind.VIEW, "show", surface="command", site=house.site)
    assert entry.address == ""
    assert entry.who == "maya"


def exported(*options: str) -> list[dict[str, str]]:
    out = io.StringIO()
    call_command("export_audit", *options, stdout=out, stderr=io.StringIO())
    return list(csv.DictReader(io.StringIO(out.getvalue())))


def test_the_audit_is_exported_whole_and_safe_for_spreadsheets(house: Cast) -> None:
    audit.record(
        audit.Kind.ACCESS,
        "refused",
        surface="telegram",
        site=house.site,
        who="=HYPERLINK(1)",
        after={"name": "a\u202eb"},
        note="@x",
    )
    audit.record(
        audit.Kind.SETTING, "change", surface="admin", site=house.outsider.site
    )
    first, second = exported()
    assert first["who"] == "'=HYPERLINK(1)"
    assert first["note"] == "'@x"
    assert "⟨U+202E⟩" in first["after"]
    assert first["site_name"] == "tienda"
    assert second["site_name"] == "otra-tienda"
    assert [row["site_name"] for row in exported("--site", "tienda")] == ["tienda"]


def test_an_export_can_be_limited_in_time(house: Cast) -> None:
    audit.record(audit.Kind.SETTING, "change", surface="admin", site=house.site)
    assert len(exported("--since", "2000-01-01")) == 1
    assert exported("--until", "2000-01-01") == []
    for wrong in (["--since", "yesterday"], ["--until", "2000-13-01"]):
        with pytest.raises(CommandError):
            exported(*wrong)
    with pytest.raises(CommandError):
        exported("--site", "nobody")
