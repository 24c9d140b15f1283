"""Our own components are the same on both sides: in the catalogue and in the page."""

import json
from pathlib import Path
from typing import Any

import pytest

from agente.surfaces import catalogue, own

ROOT = Path(__file__).parents[2]
LISTED = ROOT / "web/tests/own-components.json"


def shown(component: dict[str, Any]) -> str:
    """Return what is wrong with a surface that shows one component."""
    body = {"surfaceId": "s1", "components": [{"id": "root", **component}]}
    return catalogue.problem({"version": "v0.9", "updateComponents": body})


def test_the_page_is_held_to_the_same_components() -> None:
    ours = {n: [list(must), list(may)] for n, (must, may) in own.COMPONENTS.items()}
    assert json.loads(LISTED.read_text()) == ours


@pytest.mark.parametrize(
    "component",
    [
        {"component": "GraficoBarras", "titulo": "a", "datos": {"path": "/d"}},
        {
            "component": "GraficoLineas",
            "titulo": "a",
            "datos": {"path": "/d"},
            "series": [{"nombre": "Plan", "campo": "plan"}],
            "moneda": "MXN",
        },
        {"component": "GraficoDesglose", "titulo": {"path": "/t"}, "datos": []},
        {
            "component": "Tabla",
            "titulo": "Pagos",
            "filas": {"path": "/pagos"},
            "columnas": [{"titulo": "Importe", "campo": "n", "formato": "moneda"}],
        },
        {"component": "Progreso", "etiqueta": "Pagado", "valor": {"path": "/n"}},
        {"component": "Aviso", "texto": "Ojo", "tono": "aviso"},
    ],
    ids=lambda component: str(component["component"]),
)
def test_each_is_valid_and_strict(component: dict[str, Any]) -> None:
    assert shown(component) == ""
    assert shown({**component, "otra": 1})
    for name in own.COMPONENTS[component["component"]][0]:
        assert shown({key: item for key, item in component.items() if key != name})


def test_a_table_names_its_columns_strictly() -> None:
    table = {"component": "Tabla", "titulo": "a", "filas": []}
    assert shown({**table, "columnas": []})
    column = {"titulo": "a", "campo": "b"}
    assert shown({**table, "columnas": [{**column, "formato": "sonido"}]})
    assert shown({**table, "columnas": [{**column, "ancho": 3}]})
    assert shown({**table, "columnas": [column]}) == ""
