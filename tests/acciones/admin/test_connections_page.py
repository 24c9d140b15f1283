"""Connections: an address that will do, and headers that never come out."""

import pytest

from acciones.models import Connection
from tests.acciones.cast import Cast

from .conftest import As
from .forms import errors, form_of


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("http://shop.example", "https://"),
        ("https://127.0.0.1", "no es pública"),
        ("https://shop.example:8443", "443"),
        ("https://user:pass@shop.example", "usuario"),
        ("https://[::ffff:10.0.0.1]", "no es pública"),
    ],
)
def test_a_connection_says_why_an_address_will_not_do(
    house: Cast, entered: As, url: str, said: str
) -> None:
    client = entered(house.owner)
    address, form = form_of(
        client, "admin:acciones_connection_change", house.connection.pk
    )
    assert said in errors(client.post(address, form | {"url": url}))


def test_secret_headers_go_in_and_never_come_out(house: Cast, entered: As) -> None:
    client = entered(house.owner)
    address, form = form_of(
        client, "admin:acciones_connection_change", house.connection.pk
    )
    form["new_headers"] = "Authorization: Bearer abc-def-ghi\nX-Team: shop"
    assert client.post(address, form).status_code == 302
    stored = Connection.objects.get(pk=house.connection.pk)
    assert stored.headers == {"Authorization": "Bearer abc-def-ghi", "X-Team": "shop"}
    assert b"abc-def-ghi" not in bytes(stored.sealed_headers or b"")
    page = client.get(address).content.decode()
    assert "Authorization, X-Team" in page
    assert "abc-def-ghi" not in page
    form["new_headers"] = ""
    client.post(address, form)
    assert Connection.objects.get(pk=stored.pk).headers == stored.headers
    client.post(address, form | {"forget_headers": "on"})
    assert Connection.objects.get(pk=stored.pk).headers == {}


def test_stored_headers_never_follow_to_another_address(
    house: Cast, entered: As
) -> None:
    house.connection.headers = {"Authorization": "Bearer abc-def-ghi"}
    house.connection.save()
    client = entered(house.owner)
    address, form = form_of(
        client, "admin:acciones_connection_change", house.connection.pk
    )
    moved = form | {"url": "https://elsewhere.example"}
    assert "otra vez" in errors(client.post(address, moved))
    assert client.post(address, moved | {"forget_headers": "on"}).status_code == 302
    stored = Connection.objects.get(pk=house.connection.pk)
    assert (stored.url, stored.headers) == ("https://elsewhere.example", {})


def test_a_mistyped_header_is_not_repeated_on_the_page(
    house: Cast, entered: As
) -> None:
    client = entered(house.owner)
    address, form = form_of(
        client, "admin:acciones_connection_change", house.connection.pk
    )
    answer = client.post(address, form | {"new_headers": "no colon here"})
    assert "Nombre: valor" in errors(answer)
