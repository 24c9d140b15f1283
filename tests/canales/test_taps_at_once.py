"""Taps that meet: each other, and a turn that takes its time."""

import threading
import time

import pytest
from django.db import connections

from acciones.models import Decision
from agente.loop.run import run_turn
from agente.models import Agent, Turn
from agente.turns import start_message
from tests.acciones.cast import fresh
from tests.agente.puppet import Puppet

from .conftest import OLGA, Wired


@pytest.fixture
def wired(live: Wired) -> Wired:
    """Real HTTP both ways."""
    return live


GROUP = {"id": -100500, "type": "group", "title": "Equipo"}


def test_two_taps_at_the_same_moment_are_one_decision(wired: Wired) -> None:
    run = wired.waiting()
    message = wired.message()
    updates = [
        wired.telegram.press(OLGA, message, label)
        for label in ("Aprobar", "Rechazar", "Aprobar", "Rechazar")
    ]
    threads = [
        threading.Thread(target=wired.telegram.post, args=(update,))
        for update in updates
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    decision = Decision.objects.get()
    ended = {"approve": "queued", "reject": "rejected"}[decision.verdict]
    assert fresh(run).state == ended
    told = [wired.telegram.answer_to(update) for update in updates]
    assert (
        sum(t in ("Aprobada.", "Rechazada: no se envió nada.") for t in told if t) == 1
    )
    assert all(told)


def test_a_tap_is_answered_at_once_while_a_turn_takes_long(
    wired: Wired, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A model's turn holds a worker, never a row that a decision needs."""
    Agent.objects.create(
        site=wired.cast.site, name="root", title="Root", is_root=True, instructions="."
    )
    speaking, finish = threading.Event(), threading.Event()

    def think() -> str:
        speaking.set()
        finish.wait(30)
        return "Ya está."

    def apart(turn_id: object) -> None:
        try:
            run_turn(str(turn_id))
        finally:
            connections.close_all()

    Puppet([think]).take(monkeypatch)
    run = wired.waiting()
    started = start_message(
        visitor=wired.cast.customer,
        conversation_id=run.conversation_id,
        message_id="m-long",
        text="¿Y mi reembolso?",
    )
    worker = threading.Thread(target=apart, args=(started.turn_id,))
    worker.start()
    try:
        assert speaking.wait(20)
        before = time.monotonic()
        assert wired.tap("Aprobar") == "Aprobada."
        assert time.monotonic() - before < 2
        assert fresh(run).state == "queued"
        assert Turn.objects.get(pk=started.turn_id).state not in {"done", "failed"}
    finally:
        finish.set()
        worker.join()
