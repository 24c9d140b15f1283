"""Cards and savings: read them, restructure one, set money aside."""

from decimal import Decimal
from typing import Any
from uuid import UUID

from mcp.server.mcpserver.exceptions import ToolError
from psycopg.rows import DictRow

from demo.bank.database import Connection
from demo.bank.loan import AGREED_RATE, LONGEST, SHORTEST, Loan
from demo.bank.shapes import (
    Apartado,
    ApartadoCreado,
    Opcion,
    Pago,
    Panorama,
    Plan,
    PlanAplicado,
    Simulacion,
    Tarjeta,
)

OFFERED_TERMS = range(SHORTEST, LONGEST + 1, 6)

CARD = """
    SELECT *, COALESCE(CURRENT_DATE - vencida_desde, 0) AS dias_mora
    FROM banorte.tarjetas WHERE cliente_id = %s
"""


def overview(db: Connection, customer: str) -> Panorama:
    """Return how a customer stands: cards, money at hand, money set aside."""
    person = _customer(db, customer)
    cards = db.execute(CARD + " ORDER BY saldo DESC, id", (customer,)).fetchall()
    savings = db.execute(
        "SELECT * FROM banorte.apartados WHERE cliente_id = %s ORDER BY creado_en, id",
        (customer,),
    ).fetchall()
    return Panorama(
        clienteId=customer,
        nombre=person["nombre"],
        disponible=person["disponible"],
        tarjetas=[_card(card) for card in cards],
        apartados=[
            Apartado(apartadoId=str(s["id"]), nombre=s["nombre"], monto=s["monto"])
            for s in savings
        ],
    )


def simulate(db: Connection, customer: str, card_id: str, months: int) -> Simulacion:
    """Return what a restructured card would cost; nothing is written."""
    card = _restructurable(_find_card(db, customer, card_id))
    loan = Loan(card["saldo"], months, AGREED_RATE)
    return Simulacion(
        tarjetaId=card_id,
        saldo=float(card["saldo"]),
        diasMora=card["dias_mora"],
        tasaPactada=float(AGREED_RATE),
        opciones=[
            Opcion(**_cost(Loan(card["saldo"], term, AGREED_RATE)))
            for term in OFFERED_TERMS
        ],
        amortizacion=_schedule(loan),
        **_cost(loan),
    )


def restructure(
    db: Connection, customer: str, card_id: str, months: int, rate: Decimal, run: UUID
) -> PlanAplicado:
    """Put a card on a plan at the rate the bank offers and settle its arrears."""
    card = _restructurable(_find_card(db, customer, card_id, lock=True))
    if rate != AGREED_RATE:
        raise ToolError(f"El banco ofrece una tasa de {AGREED_RATE} % anual.")
    loan = Loan(card["saldo"], months, rate)
    db.execute(
        "UPDATE banorte.tarjetas SET plan_meses = %s, plan_tasa = %s, plan_pago = %s,"
        " vencida_desde = NULL WHERE id = %s",
        (months, rate, loan.monthly, card_id),
    )
    return PlanAplicado(
        folio=_folio("PLAN", run),
        mensaje=f"Tu tarjeta queda a {months} meses de {loan.monthly:,} MXN.",
        tarjetaId=card_id,
        saldo=float(card["saldo"]),
        tasaPactada=float(rate),
        **_cost(loan),
    )


def set_aside(
    db: Connection, customer: str, name: str, amount: Decimal, run: UUID
) -> ApartadoCreado:
    """Move money at hand into savings with a name."""
    person = _customer(db, customer, lock=True)
    left = person["disponible"] - amount
    if left < 0:
        raise ToolError("No hay saldo disponible suficiente para ese apartado.")
    db.execute(
        "UPDATE banorte.clientes SET disponible = %s WHERE id = %s", (left, customer)
    )
    db.execute(
        "INSERT INTO banorte.apartados (id, cliente_id, nombre, monto)"
        " VALUES (%s, %s, %s, %s)",
        (run, customer, name, amount),
    )
    return ApartadoCreado(
        apartadoId=str(run),
        folio=_folio("APT", run),
        mensaje=f"Apartaste {amount:,} MXN para «{name}».",
        nombre=name,
        monto=float(amount),
        disponible=float(left),
    )


def _customer(db: Connection, customer: str, *, lock: bool = False) -> DictRow:
    query = "SELECT * FROM banorte.clientes WHERE id = %s"
    person = db.execute(query + _for_update(lock), (customer,)).fetchone()
    if person is None:
        raise ToolError("No existe ese cliente.")
    return person


def _find_card(
    db: Connection, customer: str, card_id: str, *, lock: bool = False
) -> DictRow:
    """Return the customer's own card; somebody else's does not exist for them."""
    query = CARD + " AND id = %s" + _for_update(lock)
    card = db.execute(query, (customer, card_id)).fetchone()
    if card is None:
        raise ToolError("No existe esa tarjeta.")
    return card


def _for_update(lock: bool) -> str:
    return " FOR UPDATE" if lock else ""


def _restructurable(card: DictRow) -> DictRow:
    if card["plan_meses"] is not None:
        raise ToolError("Esa tarjeta ya tiene un plan de pagos.")
    if card["saldo"] == 0:
        raise ToolError("Esa tarjeta no tiene saldo que reestructurar.")
    return card


def _card(card: DictRow) -> Tarjeta:
    plan = card["plan_meses"] is not None
    late = card["dias_mora"] > 0
    return Tarjeta(
        tarjetaId=card["id"],
        alias=card["alias"],
        terminacion=card["id"][-4:],
        estado="reestructurada" if plan else "en_mora" if late else "al_corriente",
        saldo=card["saldo"],
        limite=card["limite"],
        pagoMinimo=card["pago_minimo"],
        tasaOrdinaria=card["tasa_ordinaria"],
        diasMora=card["dias_mora"],
        plan=_plan(card) if plan else None,
    )


def _plan(card: DictRow) -> Plan:
    return Plan(
        plazoMeses=card["plan_meses"],
        tasaPactada=card["plan_tasa"],
        pagoMensual=card["plan_pago"],
    )


def _cost(loan: Loan) -> dict[str, Any]:
    return {
        "plazoMeses": loan.months,
        "pagoMensual": float(loan.monthly),
        "totalAPagar": float(loan.total),
        "totalIntereses": float(loan.interest),
    }


def _schedule(loan: Loan) -> list[Pago]:
    return [
        Pago(
            numero=payment.number,
            pago=float(payment.amount),
            capital=float(payment.principal),
            interes=float(payment.interest),
            saldo=float(payment.balance),
        )
        for payment in loan.schedule()
    ]


def _folio(prefix: str, run: UUID) -> str:
    return f"{prefix}-{run.hex[:8].upper()}"
