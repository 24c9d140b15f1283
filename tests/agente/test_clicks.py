"""Clicks as they come over the wire: valid A2UI, in a version that we know."""

from typing import Any

import pytest

from acciones.errors import BadInput
from agente.models import Turn
from tests.agente.talk import Talk

ASKED = "¿Cómo voy con mi tarjeta?"


@pytest.mark.parametrize(
    "broken",
    [
        {"timestamp": "ayer"},
        {"surfaceId": 7},
        {"context": "tarjeta"},
        {"context": {"n": 2**60}},
        {"name": ""},
        {"extra": True},
        {"idempotencyKey": "k" * 129},
        {"idempotencyKey": 7},
    ],
)
def test_a_click_that_is_no_a2ui_is_refused(beto: Talk, broken: dict[str, Any]) -> None:
    beto.type(ASKED)
    action = {
        "name": "simular_plan",
        "surfaceId": "s1",
        "sourceComponentId": "plazo",
        "context": {},
        **broken,
    }
    with pytest.raises(BadInput):
        beto.act(action)


@pytest.mark.parametrize("version", [None, "v0.9", "v0.9.1"])
def test_known_versions_are_taken(beto: Talk, version: str | None) -> None:
    beto.type(ASKED)
    started = beto.act(
        {
            "name": "elegir_plazo",
            "surfaceId": "s1",
            "sourceComponentId": "eleccion",
            "timestamp": "2026-09-12T10:00:00Z",
            "context": {},
        },
        version,
    )
    assert Turn.objects.get(pk=started.turn_id).state == Turn.State.DONE


def test_another_version_is_refused(beto: Talk) -> None:
    beto.type(ASKED)
    with pytest.raises(BadInput):
        beto.act({}, "v1.0")
