"""The commands for engineers: ask in the terminal, evaluate with scenarios."""

import io
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from django.core.management import CommandError, call_command

from acciones.models import Conversation, Run, Site
from agente.evaluation.play import play
from agente.evaluation.scenario import BadScenario, Scenario, load
from tests.agente.conftest import Bank, Shop

SCENARIOS = Path("maya/seeds/scenarios.toml")


def test_thirty_scenarios_hold_with_the_offline_model(
    tienda: Site, banco: Site, shop: Shop, bank: Bank, tmp_path: Path
) -> None:
    written, told = tmp_path / "junit.xml", io.StringIO()
    call_command("evaluate", str(SCENARIOS), junit=written, stdout=told)
    assert "30 passed, 0 failed" in told.getvalue()
    suite = ElementTree.parse(written).getroot()
    assert (suite.get("tests"), suite.get("failures")) == ("30", "0")
    assert set(shop.paths()) == {"/agent/get-order"}
    assert bank.rows("SELECT 1 FROM banorte.acciones_aplicadas") == []
    assert not Conversation.objects.filter(rehearsal=False).exists()


def test_a_scenario_that_goes_wrong_is_named(
    tienda: Site, shop: Shop, tmp_path: Path
) -> None:
    wrong = play(
        Scenario(
            name="mal",
            site="tienda",
            customer="ana",
            says=("Cancela el pedido 4830",),
            tools=("search_policy",),
            never_tools=("get_order",),
            handoff="nobody",
            answers=("dragones",),
            never_answers=("4830",),
            proposal={"action": "refund_order"},
        )
    ).wrong
    assert set(wrong) == {
        "search_policy was not called",
        "get_order was called",
        "nobody was not reached",
        "nothing said matches 'dragones'",
        "something said matches '4830'",
        "cancel_order was proposed",
        "refund_order was not proposed",
    }
    file = tmp_path / "bad.toml"
    file.write_text(
        '[[scenario]]\nname="mal"\nsite="tienda"\nsays=["hola"]\nanswers=["dragones"]'
    )
    told = io.StringIO()
    with pytest.raises(CommandError, match="1 scenarios went wrong"):
        call_command("evaluate", str(file), stdout=told)
    assert "✗ mal" in told.getvalue()


@pytest.mark.parametrize(
    "text",
    [
        "not toml [",
        '[[scenario]]\nname="x"\nsite="s"',
        '[[scenario]]\nname="x"\nsite="s"\nsays=["a"]\ntols=["t"]',
        '[[scenario]]\nname="x"\nsite="s"\nsays=["a"]\nanswers=["("]',
        '[[scenario]]\nname="x"\nsite="s"\nsays=["a"]\nproposal={amount=7}',
    ],
)
def test_a_file_that_nobody_understands_is_refused(tmp_path: Path, text: str) -> None:
    file = tmp_path / "bad.toml"
    file.write_text(text)
    with pytest.raises(BadScenario):
        load(file)


def test_asking_in_the_terminal_shows_the_phases(
    tienda: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    typed = "Reembolsa el pedido 4821\n\nsí, sin abrir\n"
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    told = io.StringIO()
    call_command("ask", "tienda", customer="ana", stdout=told)
    shown = told.getvalue()
    for line in (
        "> Reembolsa el pedido 4821",
        "coordinator → refund_specialist",
        "· get_order {'order_id': '4821'}",
        "[Política de devoluciones, sección 3: Plazo para productos sin abrir]",
        "> sí, sin abrir",
        "▣ Reembolsar pedido (Pedido: 4821, Importe: 79.00",
    ):
        assert line in shown
    assert Run.objects.get().conversation.rehearsal


@pytest.mark.parametrize("command", ["ask", "evaluate"])
def test_a_site_that_does_not_exist_is_said(
    transactional_db: None, command: str, tmp_path: Path
) -> None:
    file = tmp_path / "one.toml"
    file.write_text('[[scenario]]\nname="x"\nsite="nadie"\nsays=["hola"]')
    arguments: list[Any] = ["nadie", "hola"] if command == "ask" else [str(file)]
    with pytest.raises(CommandError, match="There is no site nadie"):
        call_command(command, *arguments)
