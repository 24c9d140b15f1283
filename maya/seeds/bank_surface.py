"""The plan's surface: a slider for the months, a comparison, and one button."""

from typing import Any

SIMULATION = "simular_reestructura"


def _read(path: str, **more: Any) -> dict[str, Any]:
    return {"$from": SIMULATION, "path": path, **more}


def _format(text: str) -> dict[str, Any]:
    return {"call": "formatString", "args": {"value": text}, "returnType": "string"}


def _pesos(path: str) -> str:
    return "${formatCurrency(value: ${" + path + "}, currency: 'MXN')}"


VALUES: dict[str, Any] = {
    "plazo": _read("plazoMeses"),
    "eleccion": _read("plazoMeses", list=True),
    "simulacion": {
        "tarjetaId": _read("tarjetaId"),
        "plazoMeses": _read("plazoMeses"),
        "tasaPactada": _read("tasaPactada"),
        "pagoMensual": _read("pagoMensual"),
        "totalAPagar": _read("totalAPagar"),
        "totalIntereses": _read("totalIntereses"),
        "saldo": _read("saldo"),
        "mora": _read("diasMora"),
        "barras": _read(
            "opciones", each={"etiqueta": "{plazoMeses} meses", "valor": "pagoMensual"}
        ),
    },
    "pestana": 0,
}


def _text(id: str, text: Any, variant: str = "body") -> dict[str, Any]:
    return {"id": id, "component": "Text", "text": text, "variant": variant}


def _button(
    id: str, label: str, name: str, context: dict[str, Any], variant: str = "default"
) -> dict[str, Any]:
    return {
        "id": id,
        "component": "Button",
        "child": label,
        "variant": variant,
        "action": {"event": {"name": name, "context": context}},
    }


def _path(path: str) -> dict[str, str]:
    return {"path": path}


CARD = _path("/simulacion/tarjetaId")

COMPONENTS: list[dict[str, Any]] = [
    {"id": "root", "component": "Card", "child": "columna"},
    {
        "id": "columna",
        "component": "Column",
        "children": ["titulo", "situacion", "pestanas"],
    },
    _text("titulo", "Reestructura tu tarjeta", "h3"),
    _text(
        "situacion",
        _format(
            "Saldo de "
            + _pesos("/simulacion/saldo")
            + " con ${/simulacion/mora} días de mora."
        ),
    ),
    {
        "id": "pestanas",
        "component": "Tabs",
        "activa": _path("/pestana"),
        "tabs": [
            {"title": "Tu plan", "child": "plan"},
            {"title": "Comparar", "child": "comparar"},
        ],
    },
    {
        "id": "plan",
        "component": "Column",
        "children": ["plazo", "mensualidad", "costo", "botones"],
    },
    {
        "id": "plazo",
        "component": "Slider",
        "label": "Plazo en meses",
        "min": 6,
        "max": 36,
        "step": 1,
        "value": _path("/plazo"),
        "action": {
            "event": {
                "name": "simular_plan",
                "context": {"tarjetaId": CARD, "plazoMeses": _path("/plazo")},
            }
        },
    },
    _text(
        "mensualidad",
        _format(
            "${/simulacion/plazoMeses} pagos de "
            + _pesos("/simulacion/pagoMensual")
            + " al mes"
        ),
        "h4",
    ),
    _text(
        "costo",
        _format(
            "En total "
            + _pesos("/simulacion/totalAPagar")
            + ", de los que "
            + _pesos("/simulacion/totalIntereses")
            + " son intereses al ${/simulacion/tasaPactada} % anual."
        ),
        "caption",
    ),
    {
        "id": "botones",
        "component": "Row",
        "justify": "end",
        "children": ["btn_comparar", "btn_aplicar_18m"],
    },
    _button("btn_comparar", "btn_comparar_texto", "ver_comparar", {}),
    _text("btn_comparar_texto", "Comparar plazos"),
    _button(
        "btn_aplicar_18m",
        "btn_aplicar_texto",
        "aplicar_plan_pago",
        {
            "tarjetaId": CARD,
            "plazoMeses": _path("/simulacion/plazoMeses"),
            "tasaPactada": _path("/simulacion/tasaPactada"),
        },
        "primary",
    ),
    _text(
        "btn_aplicar_texto",
        _format("Aplicar plan a ${/simulacion/plazoMeses} meses"),
    ),
    {
        "id": "comparar",
        "component": "Column",
        "children": ["grafico", "eleccion", "btn_simular"],
    },
    {
        "id": "grafico",
        "component": "GraficoBarras",
        "titulo": "Pago mensual según el plazo",
        "datos": _path("/simulacion/barras"),
        "moneda": "MXN",
    },
    {
        "id": "eleccion",
        "component": "ChoicePicker",
        "label": "Elige un plazo",
        "variant": "mutuallyExclusive",
        "options": [
            {"label": f"{months} meses", "value": str(months)}
            for months in range(6, 37, 6)
        ],
        "value": _path("/eleccion"),
        "action": {
            "event": {
                "name": "elegir_plazo",
                "context": {"plazoMeses": _path("/eleccion")},
            }
        },
    },
    _button(
        "btn_simular",
        "btn_simular_texto",
        "simular_plan",
        {"tarjetaId": CARD, "plazoMeses": _path("/eleccion/0")},
    ),
    _text("btn_simular_texto", "Calcular ese plazo"),
]
