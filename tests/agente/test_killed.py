"""A worker process is killed with SIGKILL; another goes on from the rows."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

from django.db import connection

from agente.loop.run import run_turn
from agente.models import ToolCall, Turn
from agente.turns import start_message
from tests.agente.conftest import Shop
from tests.agente.talk import Talk
from tests.agente.waiting import lose_lease

WORKER = """
import sys, django
django.setup()
from agente.loop.run import run_turn
run_turn(sys.argv[1])
"""
PATIENCE = 30


def worker(turn_id: Any, shop: Shop) -> "subprocess.Popen[bytes]":
    """Start a process that answers one turn on the tests' database."""
    address, _, query = os.environ["DATABASE_URL"].partition("?")
    server, _, _ = address.rpartition("/")
    name = connection.settings_dict["NAME"]
    url = f"{server}/{name}" + (f"?{query}" if query else "")
    env = os.environ | {
        "DJANGO_SETTINGS_MODULE": "tests.settings",
        "DATABASE_URL": url,
        "MAYA_DEV_ENDPOINTS": shop.url,
    }
    return subprocess.Popen([sys.executable, "-c", WORKER, str(turn_id)], env=env)


def wait_until(ready: Callable[[], bool]) -> None:
    """Wait for something to be so."""
    deadline = time.monotonic() + PATIENCE
    while not ready():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_killed_in_the_middle_of_a_read_the_turn_goes_on_from_its_rows(
    ana: Talk, shop: Shop
) -> None:
    shop.mood("slow", on="lookups", seconds=20)
    started = start_message(
        visitor=ana.visitor,
        conversation_id=None,
        message_id="killed",
        text="Revisa el pedido 4821 y prepara un reembolso",
    )
    ana.begun = started.conversation_id
    ana.started.append(started)
    process = worker(started.turn_id, shop)
    wait_until(lambda: ToolCall.objects.filter(state="started").count() == 2)
    process.send_signal(signal.SIGKILL)
    process.wait(PATIENCE)

    shop.mood("ok", on="lookups")
    run_turn(started.turn_id)
    turn = Turn.objects.get(pk=started.turn_id)
    assert turn.is_open, "a lease that runs is respected"
    lose_lease(turn)
    run_turn(started.turn_id)

    assert ana.turn.state == Turn.State.DONE
    assert ana.said(started.turn_id).count("se entregó hace 12 días") == 1
    assert ana.types().count("tool.started") == 2
    assert ana.types().count("agent.handoff") == 1
    assert ana.turn.claims == 2
    ana.type("sí")
    assert ana.run().proposal.amount_minor == 7900
