"""Examples for the owner API's description: the story that everything here tells."""

from typing import Any

DIGEST = "a388f562e286fdf28986f9253579f4d096446e01dd0c771996a51ff11b390fa2"
RUN_ID = "7f3c1c9e-2a57-4f0e-9d8a-6a0b5f6c4821"

RUN: dict[str, Any] = {
    "run_id": RUN_ID,
    "action": "refund_order",
    "title": "Reembolsar pedido",
    "input": [
        {"name": "order_id", "label": "Pedido", "value": "4821", "shown": "4821"},
        {"name": "amount", "label": "Importe", "value": "79.00", "shown": "79.00"},
    ],
    "target": {"kind": "order", "ref": "4821"},
    "amount": {"minor": 7900, "currency": "EUR", "exponent": 2},
    "evidence": [
        {
            "kind": "policy",
            "source": "returns-policy",
            "reference": "returns-policy:section-3",
            "title": "Devoluciones",
            "quote": "Los productos sin abrir pueden devolverse en 30 días.",
        }
    ],
    "digest_short": DIGEST[:8],
    "approval": "owner",
    "expires_at": "2026-05-02T10:15:00+00:00",
    "state": "awaiting_owner",
    "word": "esperando al propietario",
    "final": False,
    "rehearsal": False,
    "certain": None,
    "reason": None,
    "message": "",
    "reference": "",
    "card": None,
    "effect": None,
    "digest": DIGEST,
    "created": "2026-05-01T10:12:00+00:00",
    "confirmed_at": "2026-05-01T10:15:00+00:00",
    "decided_at": None,
    "finished_at": None,
    "version": 3,
    "customer": {"id": "ana", "shown": "Ana López", "email": "ana@example.com"},
    "quorum": 1,
    "approvals": 0,
    "attempts": 0,
    "may_decide": True,
    "decisions": [],
}
TRIES: list[dict[str, Any]] = []

ACTION: dict[str, Any] = {
    "id": 7,
    "name": "refund_order",
    "tool": "change_refund_order",
    "title": "Reembolsar pedido",
    "kind": "change",
    "description": "Devuelve el importe de un pedido entregado.",
    "enabled": True,
    "version": 3,
    "approval": "conditional",
    "conditions": [{"field": "amount", "op": ">", "value": 5000}],
    "quorum": 1,
    "requires_customer": True,
    "inputs": [
        {"name": "order_id", "label": "Pedido", "required": True, "max_length": 12}
    ],
    "input_schema": {},
    "target": {"kind": "order", "input": "order_id"},
    "money": {"input": "amount", "currency": "EUR", "exponent": 2},
    "evidence_kinds": ["policy", "lookup:get_order"],
    "connection": {"name": "Tienda", "kind": "webhook", "enabled": True},
}


def _problem(status: int, code: str, detail: str) -> dict[str, Any]:
    return {
        "type": f"urn:maya:{code}",
        "title": detail,
        "status": status,
        "code": code,
        "detail": detail,
    }


PROBLEMS: dict[int, dict[str, Any]] = {
    400: _problem(
        400, "bad_input", "Revisa los datos: hay algo que no podemos aceptar."
    ),
    401: _problem(
        401,
        "token_required",
        "Envía tu llave: «Authorization: Bearer maya_…». No vale, caducó o falta.",
    ),
    403: _problem(403, "scope_missing", "Esta llave no tiene permiso para esto."),
    404: _problem(404, "not_found", "No encontramos lo que pides."),
    409: _problem(409, "wrong_state", "Ya fue aprobada por olga; está «en ejecución»."),
    429: _problem(429, "throttled", "Demasiadas peticiones en un minuto."),
}
