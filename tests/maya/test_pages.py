"""The site's own pages: the start, the API for people, and the sign of life."""

import re
from typing import Any

import pytest
from django.db import OperationalError, connection
from django.test import Client
from django.urls import reverse

from acciones.models import Site


def test_the_start_page_leads_on(client: Client, db: None) -> None:
    Site.objects.create(public_id="tienda", name="Tienda")
    page = client.get("/").content.decode()
    assert reverse("admin:index") in page
    assert reverse("docs") in page
    assert "/chat/tienda/" not in page


def test_a_development_machine_names_its_chats(
    client: Client, db: None, settings: Any
) -> None:
    Site.objects.create(public_id="tienda", name="Tienda")
    settings.DEBUG = True
    assert "/chat/tienda/" in client.get("/").content.decode()


@pytest.mark.parametrize("address", ["/", "/healthz", "/api/docs"])
def test_pages_only_answer_and_change_nothing(
    client: Client, db: None, address: str
) -> None:
    assert client.get(address).status_code == 200
    assert client.head(address).status_code == 200
    assert client.post(address).status_code == 405


def test_health_is_the_databases(
    client: Client, db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert client.get("/healthz").content == b"ok\n"

    def gone() -> None:
        raise OperationalError

    with monkeypatch.context() as patch:
        patch.setattr(connection, "cursor", gone)
        assert client.get("/healthz").status_code == 503


def test_the_api_page_shows_every_operation_of_the_schema(
    client: Client, db: None
) -> None:
    schema = client.get("/api/schema", headers={"accept": "application/json"}).json()
    page = client.get("/api/docs").content.decode()
    for path, item in schema["paths"].items():
        for method in set(item) & {"get", "post", "put", "patch", "delete"}:
            assert f"{method.upper()} {path}" in page


def test_the_api_page_needs_nothing_that_the_policy_forbids(
    client: Client, db: None
) -> None:
    answer = client.get("/api/docs")
    page = answer.content.decode()
    assert "script" not in re.findall(r"<(\w+)", page)
    assert "style=" not in page
    assert "script-src 'self'" in answer["Content-Security-Policy"]
    assert "unsafe" not in answer["Content-Security-Policy"]
