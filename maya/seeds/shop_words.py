"""The shop's texts: policies as customers are told them, agents as they are told."""

from typing import Any

RETURNS = """\
# Política de devoluciones

## 1. A qué pedidos se aplica

Esta política vale para los pedidos hechos en nuestra tienda en línea y entregados en
España peninsular y Baleares.

## 2. Pedidos que todavía no han salido

Mientras el pedido está confirmado o en preparación puedes cancelarlo sin coste. Cuando
ha salido del almacén ya no se puede cancelar: espera a recibirlo y pide la devolución.

## 3. Plazo para productos sin abrir

Los productos sin abrir pueden devolverse dentro de los 30 días siguientes a la entrega.
Se reembolsa el importe completo del pedido.

## 4. Productos abiertos o usados

Los productos abiertos o usados no se admiten en devolución, salvo que tengan un defecto
de fábrica. En ese caso se aplica la garantía legal de tres años.

## 5. Cómo se paga el reembolso

El reembolso llega por el mismo medio con el que pagaste, en un máximo de cinco días
hábiles desde que se aprueba. No cobramos gastos de gestión.
"""

SHIPPING = """\
# Envíos y entregas

## 1. Tiempos de envío

Los pedidos salen del almacén en uno o dos días hábiles y tardan entre 24 y 72 horas en
llegar a la península. A Baleares pueden tardar dos días más.

## 2. Gastos de envío

El envío cuesta 3,90 euros. Es gratis para pedidos de 40 euros o más.

## 3. Si no estás en casa

El repartidor lo intenta dos veces. Después el paquete queda siete días en el punto de
recogida más cercano, y te avisamos por correo.
"""

POLICIES = {
    "returns-policy": ("Política de devoluciones", RETURNS),
    "shipping-policy": ("Envíos y entregas", SHIPPING),
}

COORDINATOR = """
Responde a las preguntas generales con la documentación: búscala con search_policy y
cítala. Consulta un pedido con lookup_get_order cuando pregunten cómo va. Pasa los
reembolsos y las cancelaciones al especialista.
"""

SPECIALIST = """
Consulta a la vez el pedido y la política que se le aplica. Explica en qué te basas
antes de proponer nada. Si nadie sabe si el paquete sigue sin abrir, pregúntalo; no lo
supongas.
Propón el importe que dice el pedido, nunca otro. Devuelve al coordinador lo que no sea
un reembolso o una cancelación.
"""

AGENTS: dict[str, dict[str, Any]] = {
    "coordinator": {
        "title": "Coordinador",
        "description": "Responde a preguntas generales y dirige cada petición.",
        "instructions": COORDINATOR.strip(),
        "tools": ["search_policy", "lookup_get_order"],
        "can_handoff_to": ["refund_specialist"],
        "is_root": True,
        "suggestions": [
            "Revisa el pedido 4821 y prepara un reembolso",
            "Cancela el pedido 4830",
            "¿Cuánto cuesta el envío?",
        ],
    },
    "refund_specialist": {
        "title": "Especialista en reembolsos",
        "description": (
            "Comprueba si un pedido admite reembolso o cancelación y prepara "
            "propuestas."
        ),
        "instructions": SPECIALIST.strip(),
        "tools": [
            "lookup_get_order",
            "search_policy",
            "change_refund_order",
            "change_cancel_order",
            "ask_customer",
            "note_answer",
        ],
        "can_handoff_to": ["coordinator"],
    },
}
