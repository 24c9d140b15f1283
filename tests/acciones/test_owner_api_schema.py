"""The owner API's description: valid, complete, and what is really answered."""

from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client

from tests.acciones import cast as people
from tests.acciones.cast import Cast
from tests.acciones.owner import call, key


@pytest.fixture
def house(db: None) -> Cast:
    return people.assemble("https://shop.example")


@pytest.fixture
def schema(db: None) -> dict[str, Any]:
    answer = Client().get("/api/schema", headers={"accept": "application/json"})
    found: dict[str, Any] = answer.json()
    return found


def test_every_operation_is_described_with_examples(schema: dict[str, Any]) -> None:
    paths = {
        path: item
        for path, item in schema["paths"].items()
        if path.startswith("/api/owner/")
    }
    assert set(paths) == {
        "/api/owner/runs",
        "/api/owner/runs/{run_id}",
        "/api/owner/runs/{run_id}/approve",
        "/api/owner/runs/{run_id}/reject",
        "/api/owner/actions",
        "/api/owner/actions/{action_id}",
    }
    for item in paths.values():
        for operation in item.values():
            assert operation["security"] == [{"ownerToken": []}]
            assert operation["description"]
            assert {"200", "401", "403", "429"} <= operation["responses"].keys()
            for answer in operation["responses"].values():
                (content,) = answer["content"].values()
                assert content["examples"]
    decision = paths["/api/owner/runs/{run_id}/approve"]["post"]["requestBody"]
    assert decision["content"]["application/json"]["examples"]
    scheme = schema["components"]["securitySchemes"]["ownerToken"]
    assert (scheme["type"], scheme["scheme"]) == ("http", "bearer")


def test_the_description_is_valid_openapi(db: None, tmp_path: Path) -> None:
    file = tmp_path / "schema.yaml"
    call_command("spectacular", "--validate", "--fail-on-warn", "--file", str(file))
    assert file.read_text().startswith("openapi: 3.1")


def test_answers_are_as_described(house: Cast, schema: dict[str, Any]) -> None:
    run = house.confirmed()
    token = key(house.owner)
    for path, real in (
        ("/api/owner/runs", call("GET", "runs", token)),
        ("/api/owner/runs/{run_id}", call("GET", f"runs/{run.pk}", token)),
        ("/api/owner/actions", call("GET", "actions", token)),
    ):
        answer = schema["paths"][path]["get"]["responses"]["200"]
        content = answer["content"]["application/json"]
        (example,) = content["examples"].values()
        assert_like(real.json(), content["schema"])
        assert_like(example["value"], content["schema"])


def assert_like(value: Any, shape: dict[str, Any]) -> None:
    """Demand exactly the described fields, all the way down."""
    if "oneOf" in shape:
        if value is not None:
            assert_like(value, shape["oneOf"][0])
        return
    if shape.get("type") == "array":
        for item in value:
            assert_like(item, shape.get("items", {}))
    if "properties" in shape:
        assert set(value) == set(shape["properties"])
        for name, item in value.items():
            assert_like(item, shape["properties"][name])
