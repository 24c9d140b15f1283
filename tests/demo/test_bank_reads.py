"""What the bank tells of a customer, and what a plan would cost."""

from decimal import Decimal

import pytest

from tests.demo.bank import Bank


def simulate(bank: Bank, months: int = 18) -> dict[str, object]:
    return bank.answer(
        "simular_reestructura",
        clienteId="beto",
        tarjetaId="tc_4821",
        plazoMeses=months,
    )


def cents(amount: object) -> Decimal:
    return Decimal(str(amount))


def test_the_four_tools_are_listed_with_their_annotations(bank: Bank) -> None:
    hints = {}
    for tool in bank.tools().tools:
        assert tool.annotations is not None
        hints[tool.name] = (
            tool.annotations.read_only_hint,
            tool.annotations.idempotent_hint,
        )
    assert hints == {
        "panorama_inicial": (True, True),
        "simular_reestructura": (True, True),
        "aplicar_plan_pago": (False, True),
        "crear_apartado": (False, True),
    }


def test_every_tool_declares_closed_input_and_structured_output(bank: Bank) -> None:
    for tool in bank.tools().tools:
        assert tool.input_schema["additionalProperties"] is False
        assert tool.output_schema is not None
        assert tool.description


def test_a_change_requires_its_key(bank: Bank) -> None:
    schemas = {tool.name: tool.input_schema for tool in bank.tools().tools}
    assert schemas["aplicar_plan_pago"]["required"] == [
        "clienteId",
        "tarjetaId",
        "plazoMeses",
        "tasaPactada",
        "idempotency_key",
    ]
    assert schemas["crear_apartado"]["required"] == [
        "clienteId",
        "nombre",
        "monto",
        "idempotency_key",
    ]


def test_betos_card_is_twelve_days_late(bank: Bank) -> None:
    overview = bank.answer("panorama_inicial", clienteId="beto")
    assert (overview["nombre"], overview["moneda"]) == ("Beto Ruiz", "MXN")
    assert overview["disponible"] == 9200.0
    card = overview["tarjetas"][0]
    assert (card["tarjetaId"], card["diasMora"]) == ("tc_4821", 12)
    assert (card["saldo"], card["estado"]) == (48350.0, "en_mora")
    assert card["plan"] is None


def test_each_customer_sees_their_own_cards_alone(bank: Bank) -> None:
    overview = bank.answer("panorama_inicial", clienteId="carla")
    assert [card["tarjetaId"] for card in overview["tarjetas"]] == ["tc_9130"]
    assert overview["tarjetas"][0]["estado"] == "al_corriente"
    refused = bank.refusal(
        "simular_reestructura", clienteId="carla", tarjetaId="tc_4821", plazoMeses=18
    )
    assert "No existe esa tarjeta" in refused
    assert "No existe ese cliente" in bank.refusal("panorama_inicial", clienteId="eva")


def test_eighteen_months_cost_what_the_formula_says(bank: Bank) -> None:
    plan = simulate(bank)
    rate = Decimal("22.5") / 1200
    exact = Decimal(48350) * rate / (1 - (1 + rate) ** -18)
    assert plan["tasaPactada"] == 22.5
    assert cents(plan["pagoMensual"]) == exact.quantize(Decimal("0.01"))
    assert cents(plan["totalIntereses"]) == cents(plan["totalAPagar"]) - 48350


@pytest.mark.parametrize("months", range(6, 37))
def test_the_schedule_pays_the_balance_off_to_the_cent(bank: Bank, months: int) -> None:
    plan = simulate(bank, months)
    table = plan["amortizacion"]
    assert isinstance(table, list)
    assert [row["numero"] for row in table] == list(range(1, months + 1))
    balance = cents(plan["saldo"])
    for row in table:
        assert cents(row["pago"]) == cents(row["capital"]) + cents(row["interes"])
        balance -= cents(row["capital"])
        assert cents(row["saldo"]) == balance
    assert balance == 0
    assert sum(cents(row["pago"]) for row in table) == cents(plan["totalAPagar"])
    assert abs(table[-1]["pago"] - table[0]["pago"]) < 0.5


def test_the_options_compare_six_to_thirty_six_months(bank: Bank) -> None:
    options = simulate(bank)["opciones"]
    assert isinstance(options, list)
    assert [option["plazoMeses"] for option in options] == [6, 12, 18, 24, 30, 36]
    monthly = [option["pagoMensual"] for option in options]
    interest = [option["totalIntereses"] for option in options]
    assert monthly == sorted(monthly, reverse=True)
    assert interest == sorted(interest)
    assert options[2]["pagoMensual"] == simulate(bank)["pagoMensual"]


def test_eighteen_months_are_the_usual_term(bank: Bank) -> None:
    usual = bank.answer("simular_reestructura", clienteId="beto", tarjetaId="tc_4821")
    assert usual == simulate(bank, 18)


@pytest.mark.parametrize("months", [5, 37, 0, -18, 18.5, "18", True, None])
def test_a_term_outside_the_offer_is_refused(bank: Bank, months: object) -> None:
    asked = {"clienteId": "beto", "tarjetaId": "tc_4821", "plazoMeses": months}
    assert "plazoMeses" in bank.refusal("simular_reestructura", **asked)


def test_a_card_without_a_balance_has_nothing_to_restructure(bank: Bank) -> None:
    asked = {"clienteId": "beto", "tarjetaId": "tc_7710", "plazoMeses": 18}
    assert "no tiene saldo" in bank.refusal("simular_reestructura", **asked)


def test_an_argument_that_is_not_declared_is_refused(bank: Bank) -> None:
    asked = {"clienteId": "beto", "idempotencyKey": "k"}
    assert "idempotencyKey" in bank.refusal("panorama_inicial", **asked)


def test_reading_writes_nothing(bank: Bank) -> None:
    simulate(bank)
    bank.answer("panorama_inicial", clienteId="beto")
    assert bank.rows("SELECT * FROM banorte.acciones_aplicadas") == []
    assert (
        bank.answer("panorama_inicial", clienteId="beto")["tarjetas"][0]["plan"] is None
    )
