"""The chat page, the door for customers, the catalogue and the stop button."""

import json
import time
import uuid
from html import unescape
from typing import Any

import jwt
import pytest
from a2ui.core import Catalog
from django.test import Client

from acciones.api.session import cookie_name
from acciones.models import Site, Visitor
from acciones.visitors import by_token, open_session
from agente.models import Turn
from agente.turns import start_message
from tests.agente.conftest import SECRET, Shop, visitor_of


def token(site: str = "tienda", **more: Any) -> str:
    """Sign an identity as the shop does."""
    now = int(time.time())
    claims = {
        "iss": site,
        "aud": "maya",
        "sub": "ana",
        "name": "Ana López",
        "iat": now,
        "exp": now + 300,
        "jti": uuid.uuid4().hex,
        **more,
    }
    return jwt.encode(claims, SECRET, algorithm="HS256", headers={"kid": "k1"})


def test_the_page_says_what_the_browser_needs(client: Client, tienda: Site) -> None:
    answer = client.get("/chat/tienda/")
    page = unescape(answer.content.decode())
    assert answer.status_code == 200
    assert 'data-site="tienda"' in page
    assert 'data-site-name="Ladera"' in page
    assert 'data-lang="es"' in page
    suggestions = page.split('data-suggestions="')[1].split('">')[0]
    assert "Revisa el pedido 4821" in json.loads(suggestions)[0]
    assert answer["cache-control"].startswith("max-age=0")


def test_the_page_trusts_no_script_but_its_own(client: Client, tienda: Site) -> None:
    policy = client.get("/chat/tienda/")["content-security-policy"]
    assert "require-trusted-types-for 'script'" in policy
    assert "script-src 'self'" in policy
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy


def test_the_door_stays_shut_for_an_origin_that_is_none(
    client: Client, tienda: Site
) -> None:
    for origin in ("http://[", "//", ""):
        answer = client.post(
            "/chat/tienda/", {"identity": token()}, headers={"origin": origin}
        )
        assert answer.status_code == 403


def test_an_unknown_site_is_a_404(client: Client, tienda: Site) -> None:
    assert client.get("/chat/nadie/").status_code == 404


def enter(client: Client, shop: Shop, identity: str, origin: str = "") -> Any:
    """Come in by the shop's door."""
    return client.post(
        "/chat/tienda/",
        {"identity": identity},
        headers={"origin": origin or shop.url},
    )


def test_the_door_lets_a_vouched_customer_in(
    client: Client, tienda: Site, shop: Shop
) -> None:
    answer = enter(client, shop, token())
    assert (answer.status_code, answer["location"]) == (303, "/chat/tienda/")
    cookie = answer.cookies[cookie_name(tienda)]
    assert cookie["httponly"] is True
    visitor = by_token(cookie.value)
    assert visitor is not None
    assert visitor.customer is not None
    assert visitor.customer.external_id == "ana"
    page = client.get("/chat/tienda/").content.decode()
    assert 'data-customer-name="Ana López"' in page


@pytest.mark.parametrize(
    "identity",
    [
        "",
        "no.es.un-jwt",
        token("banco"),
        token(exp=1),
        token(aud="otra"),
        jwt.encode(
            {"iss": "tienda", "sub": "ana"}, "another-secret-0123456789-0123456789"
        ),
    ],
)
def test_a_bad_identity_opens_nothing(
    client: Client, tienda: Site, shop: Shop, identity: str
) -> None:
    answer = enter(client, shop, identity)
    assert answer.status_code == 401
    assert "No pudimos comprobar tu identidad" in answer.content.decode()
    assert not Visitor.objects.exists()
    assert answer.cookies == {}


@pytest.mark.parametrize(
    "origin", ["https://evil.example", "null", "http://testserver.evil"]
)
def test_another_page_cannot_use_the_door(
    client: Client, tienda: Site, shop: Shop, origin: str
) -> None:
    assert enter(client, shop, token(), origin).status_code == 403
    assert not Visitor.objects.exists()


def test_a_door_without_an_origin_stays_shut(client: Client, tienda: Site) -> None:
    answer = client.post("/chat/tienda/", {"identity": token()})
    assert answer.status_code == 403


def test_the_catalogue_is_the_official_one_and_our_extras(client: Client) -> None:
    answer = client.get("/catalogo/v1.json")
    document = answer.json()
    assert document["catalogId"] == "/catalogo/v1.json"
    catalogue = Catalog.from_json(document)
    assert catalogue.id == "/catalogo/v1.json"
    slider = document["components"]["Slider"]["allOf"][-1]["properties"]
    assert {"label", "min", "max", "value", "step", "action"} <= set(slider)
    assert "activa" in document["components"]["Tabs"]["allOf"][-1]["properties"]
    assert set(document["functions"]) >= {"formatString", "formatCurrency"}
    assert "GraficoBarras" in document["components"]


def waiting(visitor: Visitor) -> str:
    """Return the address that stops a turn which nobody answers yet."""
    started = start_message(
        visitor=visitor, conversation_id=None, message_id="m", text="hola"
    )
    return f"/api/turns/{started.turn_id}/stop"


def test_a_visitor_stops_their_own_turn(client: Client, tienda: Site) -> None:
    visitor, bearer = open_session(tienda)
    answer = client.post(
        waiting(visitor),
        {},
        content_type="application/json",
        headers={"authorization": f"Bearer {bearer}"},
    )
    assert answer.status_code == 200
    assert answer.json()["state"] == "stopped"
    assert Turn.objects.get().state == Turn.State.STOPPED


def test_somebody_elses_turn_looks_like_none(client: Client, tienda: Site) -> None:
    address = waiting(visitor_of(tienda, "luis"))
    _, bearer = open_session(tienda)
    headers = {"authorization": f"Bearer {bearer}"}
    theirs = client.post(address, {}, content_type="application/json", headers=headers)
    nobodys = client.post(
        f"/api/turns/{uuid.uuid4()}/stop",
        {},
        content_type="application/json",
        headers=headers,
    )
    assert theirs.status_code == nobodys.status_code == 404
    assert theirs.json() == nobodys.json()
    assert Turn.objects.get().is_open
    assert client.post(address).status_code == 401
