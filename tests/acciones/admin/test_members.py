"""Members and origins of a site."""

import pytest

from acciones.models import Member
from tests.acciones.cast import Cast

from .conftest import As
from .forms import members_form


def test_an_owner_adds_a_colleague_by_name(house: Cast, entered: As) -> None:
    client = entered(house.owner)
    address, form = members_form(client, house)
    name = house.outsider.user.get_username()
    new = {"member_set-3-username": name, "member_set-3-role": "viewer"}
    assert client.post(address, form | new).status_code == 302
    assert (
        Member.objects.get(site=house.site, user=house.outsider.user).role == "viewer"
    )


def test_a_site_keeps_an_owner(house: Cast, entered: As) -> None:
    client = entered(house.owner)
    address, form = members_form(client, house)
    for change in ({"member_set-0-role": "viewer"}, {"member_set-0-DELETE": "on"}):
        answer = client.post(address, form | change)
        assert "al menos un propietario" in answer.content.decode()
    assert Member.objects.get(pk=house.owner.pk).role == "owner"


def test_an_unknown_name_is_no_member(house: Cast, entered: As) -> None:
    client = entered(house.owner)
    address, form = members_form(client, house)
    new = {"member_set-3-username": "nobody", "member_set-3-role": "owner"}
    answer = client.post(address, form | new)
    assert "No hay ninguna cuenta" in answer.content.decode()


@pytest.mark.parametrize(
    "origin", ["shop.example", "https://shop.example/x", "https://*.example", "ftp://x"]
)
def test_an_origin_is_exact(house: Cast, entered: As, origin: str) -> None:
    client = entered(house.owner)
    address, form = members_form(client, house)
    answer = client.post(address, form | {"allowed_origins": origin})
    assert answer.status_code == 200
    assert origin in answer.content.decode()
