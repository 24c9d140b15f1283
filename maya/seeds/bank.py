"""The bank's site: tools of its MCP server, agents, and the plan's surface."""

from typing import Any

from acciones.models import Action, Connection, Site
from agente.tools.watch import fingerprint, tools_of
from maya.lib.mcp import Server

from .bank_surface import COMPONENTS, VALUES
from .writing import Writer, site

CUSTOMER = {"type": "string", "title": "Cliente", "maxLength": 64}
CARD = {"type": "string", "title": "Tarjeta", "minLength": 1, "maxLength": 64}
MONTHS = {
    "type": "integer",
    "title": "Plazo en meses",
    "description": "De 6 a 36 meses.",
    "minimum": 6,
    "maximum": 36,
}
RATE = {
    "type": "number",
    "title": "Tasa anual (%)",
    "description": "La tasa que devolvió la simulación, tal cual.",
    "exclusiveMinimum": 0,
    "exclusiveMaximum": 100,
}
NAME = {"type": "string", "title": "Nombre", "minLength": 1, "maxLength": 60}
AMOUNT = {
    "type": "string",
    "title": "Monto",
    "description": "En pesos con dos decimales, por ejemplo 500.00.",
    "pattern": r"^(0\.(0[1-9]|[1-9][0-9])|[1-9][0-9]{0,8}\.[0-9]{2})$",
}
KEY = {"type": "string", "minLength": 1, "maxLength": 128}
SESSION = {"clienteId": "customer.id"}

POLICY = """\
# Reestructura de tarjetas

## 1. Quién puede pedirla

Puedes reestructurar una tarjeta con saldo, aunque tenga días de mora, si todavía no
tiene un plan de pagos.

## 2. Plazos y tasa

Los plazos van de 6 a 36 meses, con una tasa fija del 22.5 % anual y pagos mensuales
iguales.

## 3. Qué pasa con la mora

Al aplicar el plan la tarjeta deja de estar en mora. No se cobran comisiones por ello.
"""

COORDINATOR = """
Responde a las preguntas generales con la documentación: búscala con search_policy y
cítala. Pasa todo lo que toque a tarjetas, deudas o apartados al especialista.
"""
SPECIALIST = """
Empieza por lookup_panorama_inicial. Si una tarjeta tiene mora, simula una reestructura
(18 meses si el cliente no dice otro plazo) y muéstrala con show_plan_de_pago antes de
explicarla. Cuando el cliente mueva el plazo (acción simular_plan), simula de nuevo y
vuelve a llamar a show_plan_de_pago. Aplica solo lo que esté simulado: su botón hace la
propuesta. Devuelve al coordinador lo que no sea suyo.
"""

AGENTS: dict[str, dict[str, Any]] = {
    "coordinator": {
        "title": "Coordinador",
        "description": "Responde a preguntas generales y dirige cada petición.",
        "instructions": COORDINATOR.strip(),
        "tools": ["search_policy"],
        "can_handoff_to": ["debt_specialist"],
        "is_root": True,
        "suggestions": [
            "¿Cómo voy con mi tarjeta?",
            "Aparta 500 pesos para vacaciones",
            "¿Qué plazos hay para reestructurar?",
        ],
    },
    "debt_specialist": {
        "title": "Especialista en deudas",
        "description": (
            "Revisa tarjetas y apartados, simula planes de pago y prepara propuestas."
        ),
        "instructions": SPECIALIST.strip(),
        "tools": [
            "lookup_panorama_inicial",
            "lookup_simular_reestructura",
            "show_plan_de_pago",
            "change_aplicar_plan_pago",
            "change_crear_apartado",
            "ask_customer",
            "note_answer",
        ],
        "can_handoff_to": ["coordinator"],
    },
}


def pinned_tools(*, url: str, token: str) -> dict[str, str]:
    """Return the hashes of the bank's tools as they are now; none if it is away."""
    tools = tools_of(Server(f"{url}/mcp", _headers(token))) or {}
    return {name: fingerprint(tool) for name, tool in tools.items()}


def _headers(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def write_bank(
    *,
    site_id: str,
    kid: str,
    secret: str,
    url: str,
    token: str,
    pins: dict[str, str] | None = None,
) -> Site:
    """Write the bank's site; ``url`` is the origin of its MCP server and its page.

    ``pins`` are the hashes of its tools, where they are known.
    """
    bank = site(site_id, "Banco Alameda", [url, url.replace("127.0.0.1", "localhost")])
    writer = Writer(bank, pins or {})
    writer.secret(kid, secret)
    server = writer.connection(
        "Banco",
        Connection.Kind.MCP,
        f"{url}/mcp",
        headers=_headers(token),
    )
    _write_lookups(writer, server)
    _write_changes(writer, server)
    writer.policy("restructure-policy", "Reestructura de tarjetas", POLICY)
    for name, agent in AGENTS.items():
        writer.agent(name, **agent)
    writer.surface(
        "plan_de_pago",
        surface_id="s1",
        description=(
            "Muestra el plan simulado con un control de plazo y el botón para "
            "aplicarlo. Antes hay que simular; después de cada simulación, otra vez."
        ),
        components=COMPONENTS,
        values=VALUES,
    )
    return bank


def _write_lookups(writer: Writer, server: Connection) -> None:
    writer.action(
        server,
        Action.Kind.LOOKUP,
        "panorama_inicial",
        title="Panorama del cliente",
        description="Cómo va el cliente: tarjetas, mora, disponible y apartados.",
        path="panorama_inicial",
        input_schema=_schema(clienteId=CUSTOMER),
        bindings=SESSION,
        fingerprint_paths=["clienteId", "disponible"],
    )
    writer.action(
        server,
        Action.Kind.LOOKUP,
        "simular_reestructura",
        title="Simulación de reestructura",
        description="Calcula un plan de pagos fijos para una tarjeta. No aplica nada.",
        path="simular_reestructura",
        input_schema=_schema(clienteId=CUSTOMER, tarjetaId=CARD, plazoMeses=MONTHS),
        bindings=SESSION,
        target_kind="tarjeta",
        target_input="tarjetaId",
        fingerprint_paths=[
            "tarjetaId",
            "saldo",
            "plazoMeses",
            "tasaPactada",
            "pagoMensual",
            "totalAPagar",
        ],
    )


def _write_changes(writer: Writer, server: Connection) -> None:
    writer.action(
        server,
        Action.Kind.CHANGE,
        "aplicar_plan_pago",
        title="Aplicar plan de pago",
        description="Reestructura una tarjeta al plazo y la tasa simulados.",
        path="aplicar_plan_pago",
        input_schema=_schema(
            clienteId=CUSTOMER,
            tarjetaId=CARD,
            plazoMeses=MONTHS,
            tasaPactada=RATE,
            idempotency_key=KEY,
        ),
        bindings=SESSION,
        key_place={"argument": "idempotency_key"},
        target_kind="tarjeta",
        target_input="tarjetaId",
        evidence_kinds=["lookup:simular_reestructura"],
        approval=Action.Approval.NEVER,
    )
    writer.action(
        server,
        Action.Kind.CHANGE,
        "crear_apartado",
        title="Crear apartado",
        description="Separa dinero disponible en un apartado con nombre.",
        path="crear_apartado",
        input_schema=_schema(
            clienteId=CUSTOMER, nombre=NAME, monto=AMOUNT, idempotency_key=KEY
        ),
        bindings=SESSION,
        key_place={"argument": "idempotency_key"},
        money={"input": "monto", "currency": "MXN", "exponent": 2},
        evidence_kinds=["lookup"],
        approval=Action.Approval.NEVER,
    )


def _schema(**properties: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }
