"""Carry out a change once for each key, in one transaction with its answer."""

import json
import re
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256

from demo.shop import orders
from demo.shop.database import transaction
from demo.shop.envelope import Call
from demo.shop.orders import Order
from demo.shop.refusal import Refusal

AMOUNT = re.compile(r"[0-9]{1,7}\.[0-9]{2}", re.ASCII)

Answer = dict[str, object]


@dataclass(frozen=True, slots=True)
class Change:
    """One kind of change: its input, what speaks against it, and what it writes."""

    needs: tuple[str, ...]
    allows: tuple[str, ...]
    objection: Callable[[Order], str | None]
    write: Callable[[sqlite3.Connection, Order, Call], None]
    done: Callable[[Order], Answer]


def carry_out(path: str, call: Call, body: bytes, *, later: bool, effect: bool) -> str:
    """Return the JSON answer to a change, carrying it out if its key is new.

    `later` answers `pending`; then `effect` says whether the write happens at once or
    only when the change is settled. A key seen before gets its saved answer, to the
    byte, and the order is left alone.
    """
    digest = sha256(body).hexdigest()
    with transaction(path) as db:
        order = _own_order(db, call)
        saved = db.execute(
            "SELECT * FROM changes WHERE key = ?", (call.run_id,)
        ).fetchone()
        if saved is not None:
            return _saved_answer(saved, call, digest)
        apply_now = effect or not later
        answer = _apply(db, order, call) if apply_now else None
        if later and (answer is None or answer["status"] == "done"):
            answer = _pending(order)
        text = _json(answer)
        db.execute(
            "INSERT INTO changes VALUES (?, ?, ?, ?, ?, ?, ?)",
            (
                call.run_id,
                call.name,
                call.customer,
                _json(call.input),
                digest,
                apply_now,
                text,
            ),
        )
        return text


def settle(path: str, run_id: str, status: str) -> Answer:
    """Finish a pending change as `done` or `failed` and return its final answer.

    An unknown key, or one that is final already, changes nothing here: the bare
    status is returned, so that somebody can try how Maya takes it.
    """
    with transaction(path) as db:
        saved = db.execute("SELECT * FROM changes WHERE key = ?", (run_id,)).fetchone()
        if saved is None or json.loads(saved["answer"])["status"] != "pending":
            return {"status": status}
        call = Call(
            saved["action"], run_id, json.loads(saved["input"]), saved["customer"]
        )
        order = _own_order(db, call)
        answer = _final(db, order, call, status, applied=bool(saved["applied"]))
        db.execute(
            "UPDATE changes SET answer = ? WHERE key = ?", (_json(answer), run_id)
        )
        return answer


def remembered(db: sqlite3.Connection, run_id: str, customer: str | None) -> str | None:
    """Return the saved JSON answer of the customer's own key, if it was ever seen."""
    row = db.execute(
        "SELECT answer FROM changes WHERE key = ? AND customer = ?", (run_id, customer)
    ).fetchone()
    return None if row is None else row["answer"]


def _own_order(db: sqlite3.Connection, call: Call) -> Order:
    order = orders.find(db, call.input["order_id"], call.customer)
    if order is None:
        raise Refusal(404, "no_such_order", "The customer has no such order.")
    amount = call.input.get("amount")
    if amount is not None and not _is_whole_amount(amount, order):
        raise Refusal(422, "wrong_amount", "The amount is not the order's.")
    return order


def _is_whole_amount(amount: str, order: Order) -> bool:
    return AMOUNT.fullmatch(amount) is not None and amount == order.amount


def _saved_answer(saved: sqlite3.Row, call: Call, digest: str) -> str:
    if (saved["customer"], saved["body_sha256"]) != (call.customer, digest):
        raise Refusal(422, "key_reused", "That key belongs to another request.")
    return str(saved["answer"])


def _apply(db: sqlite3.Connection, order: Order, call: Call) -> Answer:
    change = CHANGES[call.name]
    objection = change.objection(order)
    if objection is not None:
        return {"status": "failed", "message": objection, "reference": order.order_id}
    change.write(db, order, call)
    return change.done(order)


def _final(
    db: sqlite3.Connection, order: Order, call: Call, status: str, *, applied: bool
) -> Answer:
    if status == "failed":
        if applied:
            raise Refusal(409, "already_written", "That change has been made already.")
        message = f"No hemos podido completar el cambio del pedido {order.order_id}."
        return {"status": "failed", "message": message, "reference": order.order_id}
    return CHANGES[call.name].done(order) if applied else _apply(db, order, call)


def _pending(order: Order) -> Answer:
    message = f"Estamos tramitando el pedido {order.order_id}."
    return {"status": "pending", "message": message, "reference": order.order_id}


def _why_not_cancel(order: Order) -> str | None:
    if order.cancellable:
        return None
    label, _ = orders.LABELS[order.status]
    return f"El pedido {order.order_id} ya no se puede cancelar: {label.lower()}."


def _cancel(db: sqlite3.Connection, order: Order, call: Call) -> None:
    _move(db, order, "cancelled")


def _cancelled(order: Order) -> Answer:
    return {
        "status": "done",
        "message": f"Pedido {order.order_id} cancelado.",
        "reference": order.order_id,
        "card": orders.card(order, "cancelled"),
    }


def _why_not_refund(order: Order) -> str | None:
    if order.refundable(orders.today()):
        return None
    if order.status == "delivered":
        return f"El plazo de devolución del pedido {order.order_id} ha terminado."
    label, _ = orders.LABELS[order.status]
    return f"El pedido {order.order_id} no se puede reembolsar: {label.lower()}."


def _refund(db: sqlite3.Connection, order: Order, call: Call) -> None:
    db.execute(
        "INSERT INTO refunds VALUES (?, ?, ?, ?, ?, ?, ?)",
        (
            order.order_id,
            order.amount_minor,
            order.currency,
            call.run_id,
            call.customer,
            call.input.get("reason", ""),
            datetime.now(UTC).isoformat(timespec="seconds"),
        ),
    )
    _move(db, order, "refunded")


def _refunded(order: Order) -> Answer:
    return {
        "status": "done",
        "message": f"Hemos devuelto {order.price} del pedido {order.order_id}.",
        "reference": f"REF-{order.order_id}",
        "card": orders.card(order, "refunded"),
    }


def _move(db: sqlite3.Connection, order: Order, status: str) -> None:
    moved = db.execute(
        "UPDATE orders SET status = ? WHERE order_id = ? AND status = ?",
        (status, order.order_id, order.status),
    )
    if moved.rowcount != 1:
        raise RuntimeError(f"order {order.order_id} moved under its own transaction")


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


CHANGES = {
    "cancel_order": Change(("order_id",), (), _why_not_cancel, _cancel, _cancelled),
    "refund_order": Change(
        ("order_id", "amount"), ("reason",), _why_not_refund, _refund, _refunded
    ),
}
