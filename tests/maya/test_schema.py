"""The OpenAPI description covers everything that answers under /api/."""

from typing import Any

import pytest
from django.test import Client

from acciones import vocabulary


@pytest.fixture
def schema(db: None) -> dict[str, Any]:
    answer = Client().get("/api/schema", headers={"accept": "application/json"})
    assert answer.status_code == 200
    found: dict[str, Any] = answer.json()
    return found


def test_visitors_paths_and_streams_are_described(schema: dict[str, Any]) -> None:
    assert {
        "/api/sessions",
        "/api/runs",
        "/api/runs/{run_id}",
        "/api/runs/{run_id}/confirm",
        "/api/runs/{run_id}/cancel",
        "/api/agente",
        "/api/ag-ui/{site}",
        "/api/runs/{id}/events",
        "/api/conversations/{id}/events",
    } <= schema["paths"].keys()


def test_the_vocabulary_of_events_is_in_it(schema: dict[str, Any]) -> None:
    types = schema["components"]["schemas"]["Event"]["properties"]["type"]["enum"]
    assert types == list(vocabulary.PAYLOADS)
