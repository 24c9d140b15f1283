"""The components that only our catalogue has: figures, tables, progress and alerts.

The renderer in ``web/src/a2ui/catalog.ts`` lists the same ones with the same names.
"""

from typing import Any

COMMON = "https://a2ui.org/specification/v0_9/common_types.json#/$defs/"
TEXT = {"$ref": f"{COMMON}DynamicString"}
NUMBER = {"$ref": f"{COMMON}DynamicNumber"}
VALUE = {"$ref": f"{COMMON}DynamicValue"}

FIGURE = {
    "titulo": TEXT,
    "datos": VALUE | {"description": "A list of {etiqueta, valor}."},
}
FIGURE_MORE = {
    "descripcion": TEXT,
    "moneda": TEXT | {"description": "An ISO 4217 code."},
}
SERIES = VALUE | {
    "description": "A list of {nombre, campo}: further fields of the data, drawn each."
}
COLUMNS = {
    "type": "array",
    "minItems": 1,
    "items": {
        "type": "object",
        "properties": {
            "titulo": TEXT,
            "campo": {"type": "string"},
            "formato": {
                "type": "string",
                "enum": ["texto", "numero", "moneda", "fecha"],
            },
            "moneda": {"type": "string", "description": "An ISO 4217 code."},
        },
        "required": ["titulo", "campo"],
        "additionalProperties": False,
    },
}
TONE = TEXT | {"description": "info, exito, aviso or error."}

# Name -> what it must have, what it may have
COMPONENTS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "GraficoBarras": (FIGURE, FIGURE_MORE),
    "GraficoLineas": (FIGURE, FIGURE_MORE | {"series": SERIES}),
    "GraficoDesglose": (FIGURE, FIGURE_MORE),
    "Tabla": ({"titulo": TEXT, "filas": VALUE, "columnas": COLUMNS}, {}),
    "Progreso": (
        {"etiqueta": TEXT, "valor": NUMBER},
        {"maximo": NUMBER, "texto": TEXT},
    ),
    "Aviso": ({"texto": TEXT}, {"titulo": TEXT, "tono": TONE}),
}


def components() -> dict[str, dict[str, Any]]:
    """Return each component's schema, by its name."""
    return {
        name: _component(name, required, optional)
        for name, (required, optional) in COMPONENTS.items()
    }


def _component(
    name: str, required: dict[str, Any], optional: dict[str, Any]
) -> dict[str, Any]:
    return {
        "type": "object",
        "allOf": [
            {"$ref": f"{COMMON}ComponentCommon"},
            {"$ref": "#/$defs/CatalogComponentCommon"},
            {
                "type": "object",
                "properties": {"component": {"const": name}, **required, **optional},
                "required": ["component", *required],
            },
        ],
        "unevaluatedProperties": False,
    }
