"""«Llaves de la API»: made once, shown once, revoked by whoever may."""

import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from acciones.models import ApiToken, AuditEntry, Member
from tests.acciones import cast as people
from tests.acciones.cast import Cast
from tests.acciones.owner import call, key

PAGE = "admin:acciones_apitoken_changelist"


@pytest.fixture
def house(db: None) -> Cast:
    return people.assemble("https://shop.example")


def entered(who: Member | User) -> Client:
    client = Client()
    client.force_login(who.user if isinstance(who, Member) else who)
    return client


def make(client: Client, member: Member, *scopes: str) -> Any:
    form = {"member": member.pk, "name": "Caja", "scopes": scopes, "days": 90}
    return client.post(reverse(PAGE), form)


def test_a_token_is_made_and_shown_in_that_answer_alone(house: Cast) -> None:
    client = entered(house.owner)
    answer = make(client, house.owner, "runs:read", "runs:decide")
    found = re.search(r'value="(maya_[A-Za-z0-9_-]{43})"', answer.content.decode())
    assert found is not None
    assert "no-store" in answer["Cache-Control"]
    assert call("GET", "runs", found[1]).status_code == 200
    again = client.get(reverse(PAGE)).content.decode()
    assert found[1] not in again
    assert found[1][:10] in again
    entry = AuditEntry.objects.get(verb="api_token.create")
    assert entry.kind == "secret"
    assert entry.after is not None
    assert entry.after["scopes"] == ["runs:decide", "runs:read"]
    assert found[1] not in str(entry.after)


def test_a_viewer_gets_no_token_that_decides(house: Cast) -> None:
    client = entered(house.viewer)
    refused = make(client, house.viewer, "runs:decide").content.decode()
    assert "No tienes permiso para hacer esto." in refused
    assert not ApiToken.objects.exists()
    make(client, house.viewer, "runs:read")
    assert ApiToken.objects.get().scopes == ["runs:read"]


def test_nobody_makes_a_token_for_somebody_else(house: Cast) -> None:
    for who in (house.teammate, house.outsider):
        make(entered(who), house.owner, "runs:read")
    make(entered(User.objects.create_superuser("support")), house.owner, "runs:read")
    assert not ApiToken.objects.exists()


def test_revoking_is_for_its_member_and_for_owners(house: Cast) -> None:
    token = key(house.teammate)
    address = reverse(
        "admin:acciones_apitoken_revoke", args=[ApiToken.objects.get().pk]
    )
    for stranger in (house.viewer, house.outsider):
        assert entered(stranger).post(address).status_code == 404
    assert entered(house.owner).get(address).status_code == 404
    assert call("GET", "runs", token).status_code == 200
    for _ in range(2):
        assert entered(house.owner).post(address).status_code == 302
    assert call("GET", "runs", token).status_code == 401
    assert AuditEntry.objects.filter(verb="api_token.revoke").count() == 1


def test_members_see_their_own_and_owners_their_sites(house: Cast) -> None:
    for member in (house.owner, house.teammate, house.outsider):
        key(member)
    seen = {
        who: entered(member).get(reverse(PAGE)).content.decode().count("maya_")
        for who, member in (
            ("owner", house.owner),
            ("teammate", house.teammate),
            ("viewer", house.viewer),
            ("outsider", house.outsider),
        )
    }
    assert seen == {"owner": 2, "teammate": 1, "viewer": 0, "outsider": 1}


def test_the_form_wants_its_own_forms_token(house: Cast) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(house.owner.user)
    assert make(client, house.owner, "runs:read").status_code == 403
