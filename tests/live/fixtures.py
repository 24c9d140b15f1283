"""Fixtures: the servers for the whole session, a conversation for each test."""

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from django.db import connection
from django.test.utils import setup_databases, teardown_databases
from pytest_django import DjangoDbBlocker

from maya.lib import wake

from .servers import Valkey, Web
from .talk import Talk

KINDS = ("uvicorn", "daphne")


@pytest.fixture(scope="session")
def valkey(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Valkey]:
    """A Redis that tests may stop, start and freeze."""
    server = Valkey(folder=tmp_path_factory.mktemp("valkey"))
    server.start()
    yield server
    server.stop()


@pytest.fixture(scope="session")
def database(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker
) -> Iterator[str]:
    """Return the address of the tests' database, for other processes too.

    pytest-django makes it for tests that carry its mark; ours do without its
    transactions, so where none of the others runs it is made here.
    """
    with django_db_blocker.unblock():
        ours = [] if _is_made() else setup_databases(verbosity=0, interactive=False)
        yield _database_url()
        teardown_databases(ours, verbosity=0)


@pytest.fixture(scope="session")
def new_web(database: str, valkey: Valkey) -> Iterator[Callable[[str], Web]]:
    """Start web servers on the tests' database; all are stopped in the end."""
    with ExitStack() as servers:

        def start(kind: str) -> Web:
            web = Web(kind=kind, database_url=database, redis_url=valkey.url)
            servers.callback(web.stop)
            web.start()
            return web

        yield start


@pytest.fixture(scope="session", params=KINDS)
def web(request: pytest.FixtureRequest, new_web: Callable[[str], Web]) -> Web:
    """Maya under each server that it supports."""
    kind: str = request.param
    return new_web(kind)


@pytest.fixture
def healthy_redis(
    valkey: Valkey, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Valkey]:
    """Send this process's wake-ups to the tests' Redis; leave it as it was found."""
    settings.REDIS_URL = valkey.url
    monkeypatch.setattr(wake, "_client", None)
    monkeypatch.setattr(wake, "_paused_until", 0.0)
    yield valkey
    if valkey.running is None:
        valkey.start()
    valkey.thaw()


@pytest.fixture
def talk(
    database: str, django_db_blocker: DjangoDbBlocker, healthy_redis: Valkey
) -> Iterator[Talk]:
    """A conversation that is only beginning, really committed.

    Other processes must see it, so no transaction hides it; afterwards its site alone
    is deleted, which takes a tenth of the time that emptying all tables takes.
    """
    with django_db_blocker.unblock():
        talk = Talk.begin()
        yield talk
        talk.forget()


def _is_made() -> bool:
    return str(connection.settings_dict["NAME"]).startswith("test_")


def _database_url() -> str:
    url, name = os.environ["DATABASE_URL"], connection.settings_dict["NAME"]
    address, _, query = url.partition("?")
    server, _, _ = address.rpartition("/")
    return f"{server}/{name}" + (f"?{query}" if query else "")
