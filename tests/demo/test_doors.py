"""The doors of both pages: who walks through them, and what the signature says."""

import html
import re
import time
from typing import Any

import httpx
import jwt
import pytest

from tests.demo.bank import Bank
from tests.demo.conftest import Shop
from tests.demo.maya import SECRET

COMPANIES = [("shop", "tienda", "k1", "ana"), ("running_bank", "banco", "k2", "beto")]
JSON = {"accept": "application/json"}


class House:
    """One company's page, as a browser sees it."""

    def __init__(self, url: str, site: str, kid: str, customer: str) -> None:
        self.url, self.site, self.kid, self.customer = url, site, kid, customer

    def page(self) -> httpx.Response:
        return httpx.get(self.url)

    def press(self, customer: str | None = None, **headers: str) -> httpx.Response:
        pressed = {"customer": customer or self.customer}
        return httpx.post(f"{self.url}/door", data=pressed, headers=headers)

    def identity(self, customer: str | None = None) -> str:
        return str(self.press(customer, **JSON).json()["identity"])

    def read(self, identity: str) -> dict[str, Any]:
        options: Any = {"require": ["iss", "aud", "sub", "iat", "exp", "jti"]}
        return jwt.decode(
            identity,
            SECRET,
            algorithms=["HS256"],
            audience="maya",
            issuer=self.site,
            options=options | {"strict_aud": True},
        )


@pytest.fixture(params=COMPANIES, ids=["shop", "bank"])
def house(request: pytest.FixtureRequest) -> House:
    fixture, site, kid, customer = request.param
    company: Shop | Bank = request.getfixturevalue(fixture)
    return House(company.url, site, kid, customer)


def test_the_identity_is_signed_for_maya_and_lives_five_minutes(house: House) -> None:
    identity = house.identity()
    claims = house.read(identity)
    assert jwt.get_unverified_header(identity) == {
        "alg": "HS256",
        "typ": "JWT",
        "kid": house.kid,
    }
    assert claims.keys() == {
        "iss",
        "aud",
        "sub",
        "name",
        "email",
        "iat",
        "exp",
        "jti",
    }
    assert (claims["sub"], claims["exp"] - claims["iat"]) == (house.customer, 300)
    assert abs(claims["iat"] - time.time()) < 60


def test_every_press_signs_anew(house: House) -> None:
    first, second = (house.read(house.identity()) for _ in range(2))
    assert first["jti"] != second["jti"]


def test_a_name_with_accents_arrives_whole(shop: Shop) -> None:
    house = House(shop.url, "tienda", "k1", "ana")
    claims = house.read(house.identity())
    assert (claims["name"], claims["email"]) == ("Ana López", "ana@example.com")
    assert house.read(house.identity("luis"))["sub"] == "luis"


def test_the_pressed_door_leads_to_the_chat_with_the_identity(house: House) -> None:
    answer = house.press()
    assert answer.status_code == 200
    action = re.search(r'<form method="post" action="([^"]+)"', answer.text)
    identity = re.search(r'name="identity" value="([^"]+)"', answer.text)
    assert action is not None
    assert identity is not None
    assert html.unescape(action[1]).endswith(f"/chat/{house.site}/")
    assert house.read(identity[1])["sub"] == house.customer


def test_the_page_itself_holds_no_identity_and_an_anonymous_door(house: House) -> None:
    page = house.page().text
    assert "eyJ" not in page
    assert re.search(rf'<a href="http://127[^"]+/chat/{house.site}/">', page)
    assert page.count('action="/door"') == (2 if house.site == "tienda" else 1)


@pytest.mark.parametrize("customer", ["eva", "", "ana<script>", "x" * 2000])
def test_nobody_else_is_vouched_for(house: House, customer: str) -> None:
    answer = httpx.post(f"{house.url}/door", data={"customer": customer})
    assert answer.status_code == 404
    assert "identity" not in answer.text


def test_another_sites_form_opens_no_door(house: House) -> None:
    assert house.press(origin="https://elsewhere.example").status_code == 403
    assert house.press(origin="null").status_code == 403
    assert house.press(origin=house.url).status_code == 200


def test_a_door_is_not_opened_by_a_link(house: House) -> None:
    assert httpx.get(f"{house.url}/door").status_code in (401, 405)


def test_the_pages_headers_are_strict(house: House) -> None:
    for answer in (house.page(), house.press()):
        policy = dict(
            part.split(" ", 1)
            for part in answer.headers["content-security-policy"].split("; ")
        )
        assert policy["default-src"] == "'none'"
        assert policy["script-src"] == policy["style-src"] == "'self'"
        assert policy["base-uri"] == policy["frame-ancestors"] == "'none'"
        assert re.fullmatch(r"'self' http://127\.0\.0\.1:\d+", policy["form-action"])
        assert answer.headers["cache-control"] == "no-store"
        assert answer.headers["x-content-type-options"] == "nosniff"
        # Under "no-referrer" or "same-origin" the form would arrive with Origin: null.
        assert answer.headers["referrer-policy"] == "strict-origin-when-cross-origin"


def test_nothing_in_a_page_needs_a_weaker_policy(house: House) -> None:
    for answer in (house.page(), house.press()):
        assert not re.search(
            r"<style|style=|<script(?! type=\"module\" src=)| on\w+=", answer.text
        )
