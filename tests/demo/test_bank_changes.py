"""A plan or a saving happens once for each key, whole, and its result is kept."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import psycopg
import pytest
from mcp.shared.exceptions import MCPError

from tests.demo.bank import KEY, PLAN, Bank

APPLIED = "SELECT * FROM banorte.acciones_aplicadas ORDER BY creado_en"
SAVING = {"clienteId": "beto", "nombre": "Vacaciones", "monto": "500.00"}


def card(bank: Bank) -> dict[str, Any]:
    cards = bank.answer("panorama_inicial", clienteId="beto")["tarjetas"]
    return dict(next(card for card in cards if card["tarjetaId"] == "tc_4821"))


def test_the_table_has_the_columns_it_was_given(bank: Bank) -> None:
    columns = bank.rows(
        "SELECT column_name, data_type, character_maximum_length AS length,"
        " is_nullable, column_default FROM information_schema.columns"
        " WHERE table_schema = 'banorte' AND table_name = 'acciones_aplicadas'"
        " ORDER BY ordinal_position"
    )
    varchar, moment = "character varying", "timestamp with time zone"
    assert [tuple(column.values()) for column in columns] == [
        ("id", "uuid", None, "NO", "gen_random_uuid()"),
        ("idempotency_key", varchar, 128, "NO", None),
        ("tipo_accion", varchar, 64, "NO", None),
        ("cliente_id", varchar, 64, "NO", None),
        ("payload", "jsonb", None, "NO", None),
        ("creado_en", moment, None, "YES", "now()"),
    ]
    constraints = bank.rows(
        "SELECT contype::text AS kind, pg_get_constraintdef(oid) AS rule"
        " FROM pg_constraint WHERE contype IN ('p', 'u')"
        " AND conrelid = 'banorte.acciones_aplicadas'::regclass"
    )
    assert {tuple(c.values()) for c in constraints} == {
        ("p", "PRIMARY KEY (id)"),
        ("u", "UNIQUE (idempotency_key)"),
    }


def test_a_plan_is_applied_with_its_row(bank: Bank) -> None:
    result = bank.apply()
    assert (result["estado"], result["plazoMeses"]) == ("aplicado", 18)
    [row] = bank.rows(APPLIED)
    assert (row["idempotency_key"], row["tipo_accion"], row["cliente_id"]) == (
        KEY,
        "aplicar_plan_pago",
        "beto",
    )
    assert row["payload"]["resultado"] == result
    now = card(bank)
    assert (now["estado"], now["diasMora"]) == ("reestructurada", 0)
    assert now["plan"] == {
        "plazoMeses": 18,
        "tasaPactada": 22.5,
        "pagoMensual": result["pagoMensual"],
    }


def test_the_plan_costs_what_was_simulated(bank: Bank) -> None:
    asked = {key: PLAN[key] for key in ("clienteId", "tarjetaId", "plazoMeses")}
    simulated = bank.answer("simular_reestructura", **asked)
    applied = bank.apply()
    for field in ("pagoMensual", "totalAPagar", "totalIntereses", "saldo"):
        assert applied[field] == simulated[field]


def test_a_repeated_key_returns_the_result_and_runs_nothing(bank: Bank) -> None:
    first = bank.apply()
    # Whatever became of the card since: the key is answered from its row alone.
    bank.rows("UPDATE banorte.tarjetas SET saldo = 1 WHERE id = 'tc_4821'")
    try:
        assert bank.apply() == first
    finally:
        bank.rows("UPDATE banorte.tarjetas SET saldo = 48350 WHERE id = 'tc_4821'")
    assert len(bank.rows(APPLIED)) == 1


def test_ten_calls_at_once_with_one_key_apply_one_plan(bank: Bank) -> None:
    with ThreadPoolExecutor(10) as pool:
        results = list(pool.map(lambda _: bank.apply(), range(10)))
    assert all(result == results[0] for result in results)
    assert len(bank.rows(APPLIED)) == 1


def test_a_call_that_waited_on_a_rollback_runs_instead(bank: Bank) -> None:
    with ThreadPoolExecutor(1) as pool, psycopg.connect(bank.database) as holder:
        holder.execute(
            "INSERT INTO banorte.acciones_aplicadas"
            " (idempotency_key, tipo_accion, cliente_id, payload)"
            " VALUES (%s, 'aplicar_plan_pago', 'beto', '{}')",
            (KEY,),
        )
        waiting = pool.submit(bank.apply)
        with pytest.raises(TimeoutError):
            waiting.result(timeout=1)
        holder.rollback()
        assert waiting.result(timeout=20)["estado"] == "aplicado"
    assert card(bank)["plan"] is not None


def test_eight_keys_at_once_cannot_spend_the_same_money(bank: Bank) -> None:
    bank.rows("UPDATE banorte.clientes SET disponible = 700 WHERE id = 'beto'")

    def set_aside(number: int) -> bool:
        key = f"viaje-{number}"
        return not bank.call("crear_apartado", **SAVING, idempotency_key=key).is_error

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(set_aside, range(8))) == 1
    assert len(bank.rows(APPLIED)) == 1
    overview = bank.answer("panorama_inicial", clienteId="beto")
    assert overview["disponible"] == 200.0


def test_two_keys_at_once_apply_one_plan(bank: Bank) -> None:
    def apply(key: str) -> bool:
        return not bank.call("aplicar_plan_pago", **PLAN, idempotency_key=key).is_error

    with ThreadPoolExecutor(2) as pool:
        assert sorted(pool.map(apply, ["one", "two"])) == [False, True]
    assert len(bank.rows(APPLIED)) == 1


@pytest.mark.parametrize(
    "changed",
    [
        {"clienteId": "carla", "tarjetaId": "tc_9130"},
        {"clienteId": "carla"},
        {"plazoMeses": 24},
        {"tasaPactada": 22.0},
        {"tarjetaId": "tc_7710"},
    ],
)
def test_a_used_key_is_refused_to_another_customer_or_request(
    bank: Bank, changed: dict[str, Any]
) -> None:
    bank.apply()
    asked = PLAN | changed | {"idempotency_key": KEY}
    assert "clave" in bank.refusal("aplicar_plan_pago", **asked)
    assert len(bank.rows(APPLIED)) == 1


def test_a_used_key_is_refused_to_another_tool(bank: Bank) -> None:
    bank.apply()
    assert "clave" in bank.refusal("crear_apartado", **SAVING, idempotency_key=KEY)
    assert bank.rows("SELECT * FROM banorte.apartados") == []


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"tasaPactada": 1.0}, "22.5"),
        ({"clienteId": "carla"}, "No existe esa tarjeta"),
        ({"tarjetaId": "tc_7710"}, "no tiene saldo"),
        ({"plazoMeses": 37}, "plazoMeses"),
        ({"idempotency_key": ""}, "idempotency_key"),
        ({"idempotency_key": "k" * 129}, "idempotency_key"),
        ({"idempotency_key": "a\x00b"}, "idempotency_key"),
        ({"_meta": {}}, "_meta"),
    ],
)
def test_a_refused_plan_leaves_no_row_and_no_key(
    bank: Bank, changed: dict[str, Any], said: str
) -> None:
    asked = PLAN | {"idempotency_key": KEY} | changed
    assert said in bank.refusal("aplicar_plan_pago", **asked)
    assert bank.rows(APPLIED) == []
    assert card(bank)["plan"] is None
    assert bank.apply()["estado"] == "aplicado"


def test_a_plan_without_a_key_is_refused(bank: Bank) -> None:
    assert "idempotency_key" in bank.refusal("aplicar_plan_pago", **PLAN)
    assert bank.rows(APPLIED) == []


def test_a_card_takes_one_plan(bank: Bank) -> None:
    bank.apply()
    asked = PLAN | {"plazoMeses": 24, "idempotency_key": "another"}
    assert "ya tiene un plan" in bank.refusal("aplicar_plan_pago", **asked)
    assert card(bank)["plan"]["plazoMeses"] == 18


def test_money_is_set_aside_once_for_a_key(bank: Bank) -> None:
    first = bank.answer("crear_apartado", **SAVING, idempotency_key="viaje-1")
    again = bank.answer("crear_apartado", **SAVING, idempotency_key="viaje-1")
    assert again == first
    assert (first["monto"], first["disponible"]) == (500.0, 8700.0)
    overview = bank.answer("panorama_inicial", clienteId="beto")
    assert overview["disponible"] == 8700.0
    assert [(a["nombre"], a["monto"]) for a in overview["apartados"]] == [
        ("Vacaciones", 500.0)
    ]


@pytest.mark.parametrize(
    "monto", ["0.00", "-1.00", "1e3", "500", "500.0", "0500.00", "٥.00", 500.0]
)
def test_an_amount_is_pesos_with_two_decimals(bank: Bank, monto: object) -> None:
    asked = SAVING | {"monto": monto, "idempotency_key": "k"}
    assert bank.call("crear_apartado", **asked).is_error
    assert bank.rows("SELECT * FROM banorte.apartados") == []
    assert bank.rows(APPLIED) == []


def test_more_than_is_there_cannot_be_set_aside(bank: Bank) -> None:
    asked = SAVING | {"monto": "9200.01", "idempotency_key": "k"}
    assert "disponible" in bank.refusal("crear_apartado", **asked)
    assert bank.rows(APPLIED) == []


def test_a_database_that_fails_is_a_protocol_error_and_not_a_no(bank: Bank) -> None:
    """The work's fate is unknown then, and a tool's own error would say "failed"."""
    bank.rows("ALTER TABLE banorte.tarjetas RENAME TO elsewhere")
    try:
        with pytest.raises(MCPError):
            bank.call("aplicar_plan_pago", **PLAN, idempotency_key=KEY)
    finally:
        bank.rows("ALTER TABLE banorte.elsewhere RENAME TO tarjetas")
    assert bank.rows(APPLIED) == []
