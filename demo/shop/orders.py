"""Orders: find one that belongs to a customer, and tell what it looks like."""

import sqlite3
from dataclasses import dataclass
from datetime import UTC, date, datetime

RETURN_DAYS = 30
"""Days after delivery in which the shop takes a product back."""

LABELS = {
    "paid": ("Confirmado", "neutral"),
    "preparing": ("En preparación", "neutral"),
    "shipped": ("Enviado", "neutral"),
    "delivered": ("Entregado", "success"),
    "cancelled": ("Cancelado", "warning"),
    "refunded": ("Reembolsado", "success"),
}


def today() -> date:
    """Return the day on the shop's calendar, which is UTC's wherever it runs."""
    return datetime.now(UTC).date()


@dataclass(frozen=True, slots=True)
class Order:
    """One order; amounts in minor units, dates as ISO days."""

    order_id: str
    customer: str
    product: str
    amount_minor: int
    currency: str
    status: str
    ordered_on: str
    shipped_on: str | None
    delivered_on: str | None

    @property
    def amount(self) -> str:
        """The amount with a point and two digits, as it travels: 79.00."""
        return f"{self.amount_minor // 100}.{self.amount_minor % 100:02}"

    @property
    def price(self) -> str:
        """The amount as people here read it: 79,00 EUR."""
        return f"{self.amount.replace('.', ',')} {self.currency}"

    @property
    def cancellable(self) -> bool:
        """Whether nothing has left the warehouse yet."""
        return self.status in ("paid", "preparing")

    def days_since_delivery(self, day: date) -> int | None:
        """Return whole days since the parcel was handed over."""
        if self.delivered_on is None:
            return None
        return (day - date.fromisoformat(self.delivered_on)).days

    def refundable(self, day: date) -> bool:
        """Tell whether the shop still takes it back, by what its systems know."""
        days = self.days_since_delivery(day)
        return self.status == "delivered" and days is not None and days <= RETURN_DAYS


def find(db: sqlite3.Connection, order_id: str, customer: str | None) -> Order | None:
    """Return the customer's own order; somebody else's does not exist for them."""
    row = db.execute(
        "SELECT * FROM orders WHERE order_id = ? AND customer = ?",
        (order_id, customer),
    ).fetchone()
    return None if row is None else Order(**row)


def describe(order: Order, day: date) -> dict[str, object]:
    """Return an order's data as `get_order` answers it.

    Whether the parcel was opened is known to nobody but the customer.
    """
    return {
        "order_id": order.order_id,
        "status": order.status,
        "product": order.product,
        "amount": order.amount,
        "currency": order.currency,
        "ordered_on": order.ordered_on,
        "shipped_on": order.shipped_on,
        "delivered_on": order.delivered_on,
        "days_since_delivery": order.days_since_delivery(day),
        "cancellable": order.cancellable,
        "refundable": order.refundable(day),
    }


def card(order: Order, status: str | None = None) -> dict[str, object]:
    """Return the status card of an order, as it is or as a change leaves it."""
    label, tone = LABELS[status or order.status]
    fields = [
        {"label": "Producto", "value": order.product},
        {"label": "Importe", "value": order.price},
    ]
    if order.delivered_on is not None:
        fields.append({"label": "Entregado el", "value": order.delivered_on})
    return {
        "kind": "status",
        "title": f"Pedido {order.order_id}",
        "fields": fields,
        "status": {"label": label, "tone": tone},
        "reference": order.order_id,
        "asOf": datetime.now(UTC).isoformat(timespec="seconds"),
    }
