"""No process of the demo is told another one's secrets."""

from pathlib import Path

import pytest

from maya.demonstration.environ import Environ
from maya.demonstration.keys import read_keys
from maya.demonstration.ports import Ports


@pytest.fixture
def environ(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Environ:
    keys, _ = read_keys(tmp_path / "demo.env")
    for name in keys:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("BANK_DATABASE_URL", "postgresql://bank")
    services = {"DATABASE_URL": "postgresql://maya", "REDIS_URL": "redis://maya"}
    return Environ(tmp_path, Ports(8700, 8701, 8702), keys, services)


def test_each_knows_its_own_secrets_alone(environ: Environ) -> None:
    def secrets(found: dict[str, str]) -> set[str]:
        return {name for name in environ.keys if name in found}

    assert secrets(environ.maya()) == {"MAYA_SECRET_KEY", "MAYA_ENCRYPTION_KEYS"}
    assert secrets(environ.company("SHOP_")) == {"SHOP_SECRET"}
    assert secrets(environ.company("BANK_")) == {"BANK_SECRET", "BANK_TOKEN"}
    assert secrets(environ.author()) == set(environ.keys)


def test_companies_do_not_reach_maya_s_database(environ: Environ) -> None:
    for prefix in ("SHOP_", "BANK_"):
        found = environ.company(prefix)
        assert found["MAYA_URL"] == "http://127.0.0.1:8700"
        assert "DATABASE_URL" not in found
        assert "REDIS_URL" not in found
    assert environ.company("BANK_")["BANK_DATABASE_URL"] == "postgresql://bank"


def test_development_endpoints_are_the_two_companies(environ: Environ) -> None:
    assert environ.maya()["MAYA_DEV_ENDPOINTS"] == (
        "http://127.0.0.1:8701,http://127.0.0.1:8702"
    )


def test_what_the_environment_says_has_the_last_word(
    environ: Environ, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MAYA_RETRY_DELAYS", "1,2")
    monkeypatch.setenv("MAYA_SECRET_KEY", "mine")

    assert environ.maya()["MAYA_RETRY_DELAYS"] == "1,2"
    assert environ.maya()["MAYA_SECRET_KEY"] == "mine"
