"""What the admin writes into the audit, and who may read it there."""

import csv
import io
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.urls import reverse

from acciones.models import AuditEntry
from tests.acciones.cast import SECRET, Cast

from .conftest import As
from .forms import form_of, members_form, publish, rotate


def written(kind: str) -> list[AuditEntry]:
    return list(AuditEntry.objects.filter(kind=kind).order_by("pk"))


def test_a_setting_is_kept_as_it_was_and_as_it_is(house: Cast, entered: As) -> None:
    client = entered(house.owner)
    address, form = form_of(client, "admin:acciones_action_change", house.refund.pk)
    client.post(address, form)
    assert written("setting") == []
    publish(client, address, form | {"quorum": "2"})
    [entry] = written("setting")
    assert (entry.verb, entry.subject, entry.surface) == ("change", "action", "admin")
    assert entry.subject_id == str(house.refund.pk)
    assert (entry.before, entry.after) == ({"quorum": 1}, {"quorum": 2})
    assert entry.who == house.owner.user.get_username()
    assert entry.address == "127.0.0.1"


def test_secrets_and_headers_are_audited_without_their_values(
    house: Cast, entered: As
) -> None:
    client = entered(house.owner)
    rotate(client)
    address, form = form_of(
        client, "admin:acciones_connection_change", house.connection.pk
    )
    client.post(address, form | {"new_headers": "Authorization: Bearer abc-def"})
    old = house.site.agentsecret_set.get(kid="k1")
    client.post(reverse("admin:acciones_agentsecret_end", args=[old.pk]))
    assert [entry.verb for entry in written("secret")] == ["rotate", "end"]
    told = str(list(AuditEntry.objects.values_list("before", "after")))
    assert "abc-def" not in told
    assert SECRET not in told


def test_members_coming_and_going_are_audited(house: Cast, entered: As) -> None:
    client = entered(house.owner)
    address, form = members_form(client, house)
    client.post(
        address, form | {"member_set-1-role": "viewer", "member_set-2-DELETE": "on"}
    )
    found = {entry.verb: entry for entry in written("setting")}
    assert found["change"].after == {"role": "viewer"}
    assert found["delete"].before["user_id"] == house.viewer.user.pk  # type: ignore[index]
    assert found["delete"].after is None


def test_support_opening_a_customer_leaves_a_trace(
    house: Cast, entered: As, support: User
) -> None:
    customer = house.customer.customer
    assert customer is not None
    address = reverse("admin:acciones_customer_change", args=[customer.pk])
    entered(house.owner).get(address)
    assert written("view") == []
    entered(support).get(address)
    [entry] = written("view")
    assert (entry.subject, entry.subject_id) == ("customer", str(customer.pk))


def listed(client: Any) -> str:
    answer = client.get(reverse("admin:acciones_auditentry_changelist"))
    assert answer.status_code == 200
    return str(answer.content.decode())


def test_owners_read_their_own_sites_audit(house: Cast, entered: As) -> None:
    house.approved()
    client = entered(house.owner)
    assert "approve" in listed(client)
    entry = AuditEntry.objects.get(verb="approve")
    detail = reverse("admin:acciones_auditentry_change", args=[entry.pk])
    assert "awaiting_owner" in client.get(detail).content.decode()
    rows = client.get(reverse("admin:acciones_auditentry_csv")).content.decode()
    assert [row["verb"] for row in csv.DictReader(io.StringIO(rows))] == ["approve"]
    assert client.post(detail, {"who": "nobody"}).status_code == 403


def test_nobody_else_reads_it(house: Cast, entered: As) -> None:
    house.approved()
    assert "approve" not in listed(entered(house.outsider))
    for role in (house.teammate, house.viewer):
        client = entered(role)
        for name in ("changelist", "csv"):
            address = reverse(f"admin:acciones_auditentry_{name}")
            assert client.get(address).status_code == 403


@pytest.mark.parametrize("page", ["delete", "change"])
def test_support_cannot_change_it_either(
    house: Cast, entered: As, support: User, page: str
) -> None:
    house.approved()
    entry = AuditEntry.objects.get()
    address = reverse(f"admin:acciones_auditentry_{page}", args=[entry.pk])
    assert entered(support).post(address, {"post": "yes"}).status_code == 403
    assert AuditEntry.objects.filter(pk=entry.pk).exists()
