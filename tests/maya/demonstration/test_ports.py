"""A port that cannot be used is named, with the variable that chooses another."""

import socket

import pytest

from maya.demonstration.ports import free_ports
from maya.demonstration.problem import DemoProblem


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANG", "C.UTF-8")


def choose(monkeypatch: pytest.MonkeyPatch, **ports: object) -> None:
    for variable, port in ports.items():
        monkeypatch.setenv(variable, str(port))


def test_ports_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    choose(monkeypatch, MAYA_PORT=18700, SHOP_PORT=18701, BANK_PORT=18702)

    ports = free_ports()

    assert ports.maya_url == "http://127.0.0.1:18700"
    assert ports.shop_url == "http://127.0.0.1:18701"
    assert ports.bank_url == "http://127.0.0.1:18702"


def test_a_port_in_use_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        choose(monkeypatch, MAYA_PORT=18700, SHOP_PORT=port, BANK_PORT=18702)

        with pytest.raises(DemoProblem) as refused:
            free_ports()

    assert str(refused.value) == (
        f"Port {port} is in use: free it, or choose another with SHOP_PORT."
    )


@pytest.mark.parametrize("value", ["http", "-1", "0", "65536", "80.5"])
def test_what_is_no_port_is_named(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    choose(monkeypatch, MAYA_PORT=value)

    with pytest.raises(DemoProblem, match=f"MAYA_PORT={value} is not a port"):
        free_ports()
