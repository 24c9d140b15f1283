"""Who gets into the bank's MCP server, and what a restart keeps."""

import httpx
import pytest

from tests.demo.bank import TOKEN, Bank
from tests.demo.conftest import scratch_database
from tests.demo.maya import SECRET
from tests.demo.process import free_port, running

LIST = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}


def ask(bank: Bank, headers: list[tuple[str, str]]) -> httpx.Response:
    accept = [("accept", "application/json, text/event-stream")]
    return httpx.post(
        f"{bank.url}/mcp", json=LIST, headers=accept + headers, trust_env=False
    )


@pytest.mark.parametrize(
    "headers",
    [
        [],
        [("authorization", "Bearer")],
        [("authorization", "Bearer wrong")],
        [("authorization", TOKEN)],
        [("authorization", f"Basic {TOKEN}")],
        [("authorization", f"Bearer  {TOKEN}")],
        [("authorization", "Bearer x"), ("authorization", f"Bearer {TOKEN}")],
    ],
)
def test_without_the_token_the_answer_is_401(
    bank: Bank, headers: list[tuple[str, str]]
) -> None:
    answer = ask(bank, headers)
    assert answer.status_code == 401
    assert answer.headers["www-authenticate"].startswith("Bearer")


def test_a_token_with_odd_bytes_is_401_and_never_an_error(bank: Bank) -> None:
    headers = {b"authorization": "Bearer ñandú".encode()}
    answer = httpx.post(f"{bank.url}/mcp", json=LIST, headers=headers)
    assert answer.status_code == 401


def test_with_the_token_it_answers_in_json(bank: Bank) -> None:
    answer = ask(bank, [("authorization", f"Bearer {TOKEN}")])
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("application/json")
    assert "mcp-session-id" not in answer.headers


@pytest.mark.parametrize("path", ["/mcp", "/mcp/", "/anything", "/.well-known/x"])
def test_nothing_but_the_page_is_public(bank: Bank, path: str) -> None:
    assert httpx.get(bank.url + path).status_code == 401


def test_another_host_name_is_refused(bank: Bank) -> None:
    token = ("authorization", f"Bearer {TOKEN}")
    assert ask(bank, [token, ("host", "bank.example")]).status_code == 421


def test_a_restart_keeps_the_plan_and_moves_the_arrears() -> None:
    port = free_port()
    with scratch_database() as database:
        env = {
            "BANK_PORT": str(port),
            "BANK_DATABASE_URL": database,
            "BANK_SECRET": SECRET,
            "BANK_TOKEN": TOKEN,
        }
        with running("demo.bank", port, env) as url:
            bank = Bank(url, database)
            bank.rows("UPDATE banorte.tarjetas SET vencida_desde = '2020-01-01'")
        with running("demo.bank", port, env) as url:
            cards = bank.answer("panorama_inicial", clienteId="beto")["tarjetas"]
            assert cards[0]["diasMora"] == 12
            applied = bank.apply()
        with running("demo.bank", port, env) as url:
            cards = bank.answer("panorama_inicial", clienteId="beto")["tarjetas"]
            assert (cards[0]["diasMora"], cards[0]["estado"]) == (0, "reestructurada")
            assert bank.apply() == applied
