"""The durable loop: killed, raced, stopped, led astray; one answer all the same."""

import threading
from typing import Any

import pytest
from django.db import connections

from acciones.models import Event
from agente.loop import lease
from agente.loop.due import due_turns
from agente.loop.run import run_turn
from agente.loop.stop import stop
from agente.models import Message, ToolCall, Turn
from agente.turns import MessageReused, start_message
from maya.lib import wake
from tests.agente.puppet import Puppet
from tests.agente.talk import Talk
from tests.agente.waiting import ask, attempts, lose_lease

SEARCH = [("search_policy", {"question": "devoluciones"})]


def test_a_turn_is_stored_with_its_first_events_in_one_transaction(talk: Talk) -> None:
    turn = ask(talk)
    assert (turn.state, turn.claims) == (Turn.State.QUEUED, 0)
    assert talk.types() == ["message.received", "run.status"]
    assert talk.events("run.status") == [{"status": "thinking"}]


def test_a_repeated_message_continues_the_same_turn(
    talk: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    Puppet(["Hola."]).take(monkeypatch)
    given: dict[str, Any] = {"visitor": talk.visitor, "message_id": "m", "text": "hola"}
    first = start_message(conversation_id=None, **given)
    second = start_message(conversation_id=None, **given)
    third = start_message(conversation_id=first.conversation_id, **given)
    assert first == second == third
    run_turn(first.turn_id)
    assert start_message(conversation_id=None, **given) == first
    assert Message.objects.filter(author="customer").count() == 1
    with pytest.raises(MessageReused):
        start_message(conversation_id=None, **{**given, "text": "adiós"})


def test_the_same_message_twice_at_once_is_one_turn(talk: Talk) -> None:
    started: list[Any] = []

    def send() -> None:
        try:
            started.append(
                start_message(
                    visitor=talk.visitor,
                    conversation_id=None,
                    message_id="m",
                    text="hola",
                )
            )
        finally:
            connections.close_all()

    together(send, 4)
    assert len(started) == 4
    assert len({one.turn_id for one in started}) == 1
    assert Turn.objects.count() == 1


def together(work: Any, times: int) -> None:
    """Run something in several threads at once."""
    threads = [threading.Thread(target=work) for _ in range(times)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)


def test_two_workers_answer_once(talk: Talk, monkeypatch: pytest.MonkeyPatch) -> None:
    puppet = Puppet([SEARCH, "Hay 30 días."]).take(monkeypatch)
    turn = ask(talk)

    def work() -> None:
        try:
            run_turn(turn.pk)
        finally:
            connections.close_all()

    together(work, 3)
    assert len(puppet.seen) == 2
    assert talk.said(turn.pk) == "Hay 30 días."


def test_killed_while_the_model_speaks_it_asks_anew_and_answers_once(
    talk: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    Puppet(["A medias", "Entera."]).take(monkeypatch)
    turn = ask(talk)
    with monkeypatch.context() as killed:
        killed.setattr("agente.loop.infer.accepted", raise_interrupt)
        with pytest.raises(KeyboardInterrupt):
            run_turn(turn.pk)
    assert attempts(turn) == [(1, "running", "")]
    run_turn(turn.pk)
    assert talk.said(turn.pk) == ""
    lose_lease(turn)
    run_turn(turn.pk)
    assert talk.said(turn.pk) == "Entera."
    assert attempts(turn) == [(1, "broken", "abandoned"), (2, "accepted", "")]


def test_killed_after_a_read_began_it_reads_again_and_tells_it_once(
    talk: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    puppet = Puppet([SEARCH, "Hay 30 días."]).take(monkeypatch)
    turn = ask(talk)
    with monkeypatch.context() as killed:
        killed.setattr("agente.loop.run_calls._fetch_all", raise_interrupt)
        with pytest.raises(KeyboardInterrupt):
            run_turn(turn.pk)
    assert ToolCall.objects.get().state == ToolCall.State.STARTED
    lose_lease(turn)
    run_turn(turn.pk)
    assert talk.types().count("tool.started") == 1
    assert talk.types().count("tool.completed") == 1
    assert len(puppet.seen) == 2
    assert talk.said(turn.pk) == "Hay 30 días."


def raise_interrupt(*_: Any) -> Any:
    """Die as a killed process does: nothing of ours may catch it."""
    raise KeyboardInterrupt


def test_killed_after_an_effect_nothing_of_it_stays(
    talk: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    handoff = [("transfer_to_other", {"reason": "le toca"})]
    Puppet([handoff, "Ya está."]).take(monkeypatch)
    turn = ask(talk)
    with monkeypatch.context() as killed:
        killed.setattr(ToolCall, "save", save_or_die)
        with pytest.raises(KeyboardInterrupt):
            run_turn(turn.pk)
    turn.refresh_from_db()
    assert turn.agent == "root"
    assert talk.events("agent.handoff") == []
    lose_lease(turn)
    run_turn(turn.pk)
    assert len(talk.events("agent.handoff")) == 1
    assert talk.turn.agent == "other"


def save_or_die(call: ToolCall, *args: Any, **kwargs: Any) -> None:
    """Save the start of a call, and die at its result."""
    if call.result is not None:
        raise KeyboardInterrupt
    super(ToolCall, call).save(*args, **kwargs)


def test_a_worker_that_was_taken_for_dead_writes_nothing(
    talk: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    turn = ask(talk)

    def steal() -> str:
        try:
            lose_lease(turn)
            assert lease.claim(turn.pk) is not None
        finally:
            connections.close_all()
        return "Tarde."

    Puppet([steal]).take(monkeypatch)
    run_turn(turn.pk)
    assert talk.said(turn.pk) == ""
    turn.refresh_from_db()
    assert turn.is_open


def test_a_stop_ends_the_answer_while_it_is_written(
    talk: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    turn = ask(talk)
    ended = threading.Event()

    def wait() -> str:
        try:
            stop(turn.pk, talk.visitor)
            ended.wait(10)
        finally:
            connections.close_all()
        return "Demasiado tarde."

    Puppet([wait]).take(monkeypatch)
    run_turn(turn.pk)
    ended.set()
    assert talk.said(turn.pk) == ""
    assert talk.turn.state == Turn.State.STOPPED
    assert talk.events("run.status")[-1] == {"status": "stopped"}
    assert attempts(turn) == [(1, "broken", "stopped")]
    assert stop(turn.pk, talk.visitor).state == Turn.State.STOPPED


def test_messages_of_one_conversation_are_answered_in_order(
    talk: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    woken: list[str] = []
    monkeypatch.setattr(wake, "task", lambda name, *args: woken.append(args[0]))
    Puppet(["Uno.", "Dos."]).take(monkeypatch)
    first, second = ask(talk, "uno"), ask(talk, "dos")
    assert due_turns() == [first.pk]
    run_turn(second.pk)
    assert talk.said(second.pk) == ""
    run_turn(first.pk)
    assert woken[-1] == str(second.pk)
    run_turn(second.pk)
    assert (talk.said(first.pk), talk.said(second.pk)) == ("Uno.", "Dos.")


def test_every_turn_leaves_dense_sequences(
    talk: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    Puppet([SEARCH, "Hay 30 días."]).take(monkeypatch)
    run_turn(ask(talk).pk)
    run_turn(ask(talk, "otra vez").pk)
    events = Event.objects.filter(conversation_id=talk.conversation_id).order_by(
        "position"
    )
    assert [e.position for e in events] == list(range(1, len(events) + 1))
    for started in talk.started:
        seqs = [e.seq for e in events if e.run_id == started.turn_id]
        assert seqs == list(range(1, len(seqs) + 1))
