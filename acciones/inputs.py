"""Checks and shapes the arguments of a change before anything is stored."""

import re
from decimal import Decimal, InvalidOperation
from typing import Any

from jsonschema import Draft202012Validator

from maya.lib.stored import is_storable

from .errors import BadInput, SignInRequired
from .models import Action, Customer

MAXIMUM_LENGTH = 2000
MAXIMUM_REFERENCE = 250


def validated(action: Action, arguments: dict[str, Any]) -> dict[str, Any]:
    """Return the declared inputs, trimmed; raises ``BadInput`` naming what is wrong.

    Webhook inputs are declared strings. MCP inputs follow the tool's JSON Schema.
    Arguments that the session fills are refused here: nobody may type them.
    """
    typed = {name: arguments[name] for name in arguments if name in action.bindings}
    if typed:
        raise BadInput(f"Sobra la entrada «{next(iter(typed))}».")
    if action.is_mcp:
        return _mcp(action, arguments)
    return _declared(action, arguments)


def _declared(action: Action, arguments: dict[str, Any]) -> dict[str, str]:
    declared = {item["name"]: item for item in action.inputs}
    for name in arguments:
        if name not in declared:
            raise BadInput(f"Sobra la entrada «{name}».")
    found: dict[str, str] = {}
    for name, item in declared.items():
        value = arguments.get(name)
        if value is None or value == "":
            if item.get("required", True):
                raise BadInput(f"Falta la entrada «{name}».")
            continue
        found[name] = _text(name, value, item)
    return found


def _text(name: str, value: Any, item: dict[str, Any]) -> str:
    if not isinstance(value, str):
        raise BadInput(f"La entrada «{name}» debe ser texto.")
    text = value.strip()
    if not text and item.get("required", True):
        raise BadInput(f"Falta la entrada «{name}».")
    if len(text) > item.get("max_length", MAXIMUM_LENGTH):
        raise BadInput(f"La entrada «{name}» es demasiado larga.")
    if not is_storable(text):
        raise BadInput(f"La entrada «{name}» tiene caracteres que no se aceptan.")
    pattern = item.get("pattern")
    if pattern and not re.fullmatch(pattern, text):
        raise BadInput(f"La entrada «{name}» no tiene la forma esperada.")
    return text


def _mcp(action: Action, arguments: dict[str, Any]) -> dict[str, Any]:
    schema = {**model_schema(action), "additionalProperties": False}
    error = next(Draft202012Validator(schema).iter_errors(arguments), None)
    if error is not None:
        where = ".".join(str(step) for step in error.path) or "entradas"
        raise BadInput(f"«{where}» no tiene la forma esperada.")
    return {
        name: value.strip() if isinstance(value, str) else value
        for name, value in arguments.items()
    }


def model_schema(action: Action) -> dict[str, Any]:
    """Return the JSON Schema of what the model may give: no session, no key."""
    if not action.is_mcp:
        return {
            "type": "object",
            "properties": {
                item["name"]: {
                    "type": "string",
                    "description": item.get("description", ""),
                    "maxLength": item.get("max_length", MAXIMUM_LENGTH),
                }
                for item in action.inputs
            },
            "required": [
                item["name"] for item in action.inputs if item.get("required", True)
            ],
            "additionalProperties": False,
        }
    hidden = {*action.bindings, action.key_place.get("argument", "")}
    schema = action.input_schema or {"type": "object"}
    return {
        **schema,
        "properties": {
            name: value
            for name, value in schema.get("properties", {}).items()
            if name not in hidden
        },
        "required": [name for name in schema.get("required", []) if name not in hidden],
        "additionalProperties": False,
    }


def bound(action: Action, customer: Customer | None) -> dict[str, Any]:
    """Return the arguments that come from the session: ``customer.id`` and the like."""
    found: dict[str, Any] = {}
    for name, source in action.bindings.items():
        if customer is None:
            raise SignInRequired
        found[name] = customer.wire().get(source.removeprefix("customer."), "")
    return found


def money(action: Action, values: dict[str, Any]) -> tuple[int, str, int] | None:
    """Return (minor units, currency, exponent) of the input that carries money."""
    if not action.money:
        return None
    name, exponent = action.money["input"], int(action.money.get("exponent", 2))
    currency = action.money.get("currency") or str(
        values.get(action.money["currency_input"], "")
    )
    text = str(values.get(name, ""))
    if not re.fullmatch(r"[0-9]{1,12}(\.[0-9]{1,6})?", text):
        raise BadInput(f"La entrada «{name}» debe ser un importe como 79.00.")
    try:
        minor = Decimal(text).scaleb(exponent)
    except InvalidOperation as error:
        raise BadInput(f"La entrada «{name}» no es un importe.") from error
    if minor != minor.to_integral_value() or minor <= 0:
        raise BadInput(f"La entrada «{name}» no es un importe exacto.")
    if not re.fullmatch(r"[A-Z]{3}", currency):
        raise BadInput("La moneda debe ser un código de tres letras.")
    return int(minor), currency, exponent


def target(action: Action, values: dict[str, Any]) -> tuple[str, str]:
    """Return (kind, reference) of the record that a change would touch.

    Raises ``BadInput`` for a reference that names no record: it is far too long.
    """
    if not action.target_input:
        return "", ""
    reference = str(values.get(action.target_input, ""))
    if len(reference) > MAXIMUM_REFERENCE:
        raise BadInput(f"La entrada «{action.target_input}» es demasiado larga.")
    return action.target_kind, reference
