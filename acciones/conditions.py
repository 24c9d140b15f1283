"""Says when an owner is asked: conditions as data, and as a sentence."""

import operator
from decimal import Decimal, InvalidOperation
from typing import Any

from .models import Action

COMPARE = {
    ">": operator.gt,
    ">=": operator.ge,
    "<": operator.lt,
    "<=": operator.le,
}
WORDS = {
    ">": "es mayor que",
    ">=": "es al menos",
    "<": "es menor que",
    "<=": "es como mucho",
    "==": "es",
    "!=": "no es",
    "present": "está presente",
    "absent": "no está",
}


def needs_owner(
    action: Action,
    *,
    values: dict[str, Any],
    amount_minor: int | None,
    customer_id: str | None,
) -> bool:
    """Decide whether this proposal waits for the owner; in doubt it does."""
    if action.approval != Action.Approval.CONDITIONAL:
        return action.approval != Action.Approval.NEVER
    facts = {"amount": amount_minor, "customer": customer_id} | {
        f"input.{name}": value for name, value in values.items()
    }
    return not action.conditions or any(
        _holds(condition, facts.get(condition["field"]))
        for condition in action.conditions
    )


def _holds(condition: dict[str, Any], fact: Any) -> bool:
    op, wanted = condition["op"], condition.get("value")
    if op in {"present", "absent"}:
        return bool((fact not in (None, "")) == (op == "present"))
    if op in {"==", "!="}:
        return bool((str(fact) == str(wanted)) == (op == "=="))
    try:
        return bool(COMPARE[op](Decimal(str(fact)), Decimal(str(wanted))))
    except (InvalidOperation, KeyError):
        return True  # what cannot be compared is the owner's to judge


def sentence(action: Action) -> str:
    """Return the approval mode as a sentence for people."""
    if action.approval == Action.Approval.NEVER:
        return "Se ejecuta en cuanto el cliente confirma."
    if action.approval == Action.Approval.ALWAYS or not action.conditions:
        return "Siempre espera tu aprobación."
    parts = [
        " ".join(
            str(part)
            for part in (
                {"amount": "el importe (en céntimos)", "customer": "el cliente"}.get(
                    item["field"], f"«{item['field'].removeprefix('input.')}»"
                ),
                WORDS[item["op"]],
                item.get("value", ""),
            )
        ).strip()
        for item in action.conditions
    ]
    return f"Espera tu aprobación si {' o si '.join(parts)}."
