"""The shop's site: lookups, changes that the owner approves, policies and agents."""

from acciones.models import Action, Connection, Site

from . import shop_words as words
from .writing import Writer, site

ORDER = {
    "name": "order_id",
    "label": "Pedido",
    "description": "El número del pedido, por ejemplo 4821 o A128.",
    "required": True,
    "pattern": "[A-Z]?[0-9]{3,8}",
    "max_length": 9,
}
AMOUNT = {
    "name": "amount",
    "label": "Importe",
    "description": "El importe del pedido en euros con dos decimales: 79.00.",
    "required": True,
    "pattern": r"[0-9]{1,7}\.[0-9]{2}",
    "max_length": 10,
}
REASON = {
    "name": "reason",
    "label": "Motivo",
    "description": "Por qué, en una frase.",
    "required": False,
    "max_length": 200,
}
RUN = {
    "name": "run_id",
    "label": "Ejecución",
    "description": "El identificador del cambio.",
    "required": True,
    "max_length": 36,
}


def write_shop(*, site_id: str, kid: str, secret: str, url: str) -> Site:
    """Write the shop's site; ``url`` is the origin of its endpoint and its page."""
    shop = site(site_id, "Ladera", [url, url.replace("127.0.0.1", "localhost")])
    writer = Writer(shop)
    writer.secret(kid, secret)
    endpoint = writer.connection("Tienda", Connection.Kind.WEBHOOK, url)
    _write_actions(writer, endpoint)
    for slug, (title, text) in words.POLICIES.items():
        writer.policy(slug, title, text)
    for name, agent in words.AGENTS.items():
        writer.agent(name, **agent)
    return shop


def _write_actions(writer: Writer, endpoint: Connection) -> None:
    lookup, change = Action.Kind.LOOKUP, Action.Kind.CHANGE
    order = {"target_kind": "order", "target_input": "order_id"}
    writer.action(
        endpoint,
        lookup,
        "get_order",
        title="Pedido",
        description="Consulta un pedido del cliente: estado, importe y fechas.",
        path="/agent/get-order",
        inputs=[ORDER],
        fingerprint_paths=[
            "order_id",
            "status",
            "amount",
            "currency",
            "delivered_on",
            "refundable",
        ],
        **order,
    )
    status = writer.action(
        endpoint,
        lookup,
        "order_status_by_run",
        title="Resultado de un cambio",
        description="Pregunta a la tienda qué fue de un cambio que se le envió.",
        path="/agent/order-status-by-run",
        inputs=[RUN],
    )
    writer.action(
        endpoint,
        change,
        "cancel_order",
        title="Cancelar pedido",
        description="Cancela un pedido que todavía no ha salido del almacén.",
        path="/agent/cancel-order",
        inputs=[ORDER],
        evidence_kinds=["lookup:get_order"],
        approval=Action.Approval.ALWAYS,
        status_lookup=status,
        **order,
    )
    writer.action(
        endpoint,
        change,
        "refund_order",
        title="Reembolsar pedido",
        description="Devuelve al cliente el importe de un pedido entregado.",
        path="/agent/refund-order",
        inputs=[ORDER, AMOUNT, REASON],
        money={"input": "amount", "currency": "EUR", "exponent": 2},
        evidence_kinds=["lookup:get_order", "policy"],
        approval=Action.Approval.ALWAYS,
        status_lookup=status,
        **order,
    )
