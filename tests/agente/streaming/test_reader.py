"""The one reader: history, then what follows, each once, whatever goes wrong."""

import asyncio
import json
import random
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from agente.streaming import hub, log, reader
from agente.streaming.fold import empty, fold_all
from agente.streaming.hub import Hub
from agente.streaming.log import Batch, Event
from agente.streaming.reader import Reader
from agente.streaming.scope import Scope
from maya.lib import wake
from tests.live.loop import run, store
from tests.live.reading import positions, rest, take, whole
from tests.live.servers import Valkey
from tests.live.talk import Talk

CUTS = 1_000


def test_history_comes_first_then_what_follows(talk: Talk) -> None:
    talk.happen(3)
    scope = whole(talk)

    async def follow() -> list[int]:
        async with Reader(scope, 1) as follower:
            first = await take(follower, 2)
            await store(talk.happen, 2)
            return positions(first + await take(follower, 2))

    assert run(follow()) == [2, 3, 4, 5]


@pytest.mark.parametrize("moment", ["before the query", "after the query"])
def test_what_falls_between_subscription_and_query_comes_once(
    talk: Talk, monkeypatch: pytest.MonkeyPatch, moment: str
) -> None:
    talk.happen(2)
    scope = whole(talk)
    ask: Callable[[Scope, int], Awaitable[Batch]] = log.page
    asked: list[int] = []

    async def page(where: Scope, after: int) -> Batch:
        is_history = not asked
        asked.append(after)
        if is_history and moment == "before the query":
            await store(talk.happen, 1)
        found = await ask(where, after)
        if is_history and moment == "after the query":
            await store(talk.happen, 1)
            await asyncio.sleep(0.1)
        return found

    monkeypatch.setattr(log, "page", page)

    async def follow() -> list[int]:
        async with Reader(scope, 0) as follower:
            first = await take(follower, 3)
            await store(talk.happen, 1)
            return positions(first + await take(follower, 1))

    assert run(follow()) == [1, 2, 3, 4]


def test_the_poll_finds_what_a_lost_wake_up_missed(
    talk: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    talk.happen(1)
    scope = whole(talk)
    monkeypatch.setattr(hub, "POLL_SECONDS", 0.2)
    monkeypatch.setattr(hub, "POLL_IN_DOUBT_SECONDS", 0.1)
    monkeypatch.setattr(wake, "readers", lambda conversation: None)

    async def follow() -> list[int]:
        async with Reader(scope, 0) as follower:
            first = await take(follower, 1)
            await store(talk.happen, 2)
            return positions(first + await take(follower, 2))

    assert run(follow()) == [1, 2, 3]


def test_nothing_is_missing_while_redis_is_away_and_after(
    talk: Talk, monkeypatch: pytest.MonkeyPatch, valkey: Valkey
) -> None:
    talk.happen(1)
    scope = whole(talk)
    monkeypatch.setattr(hub, "POLL_IN_DOUBT_SECONDS", 0.1)
    monkeypatch.setattr(hub, "POLL_SECONDS", 60)

    async def follow() -> list[int]:
        async with Reader(scope, 0) as follower:
            events = await take(follower, 1)
            await asyncio.sleep(0.2)
            valkey.stop()
            await store(talk.happen, 2)
            events += await take(follower, 2)
            await asyncio.to_thread(valkey.start)
            await store(talk.happen, 1)
            return positions(events + await take(follower, 1))

    assert run(follow()) == [1, 2, 3, 4]


def test_a_wake_up_costs_one_query_however_many_read(
    talk: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    talk.happen(1)
    scope = whole(talk)
    ask = log.page
    asked: list[int] = []

    async def page(where: Scope, after: int) -> Batch:
        asked.append(after)
        return await ask(where, after)

    async def follow() -> int:
        readers = [Reader(scope, 1) for _ in range(50)]
        for each in readers:
            await each.__aenter__()
        waiting = [asyncio.create_task(take(each, 1)) for each in readers]
        await asyncio.sleep(0.3)
        monkeypatch.setattr(log, "page", page)
        await store(talk.happen, 1)
        told = await asyncio.gather(*waiting)
        for each in readers:
            await each.__aexit__(None, None, None)
        assert [positions(events) for events in told] == [[2]] * 50
        return len(asked)

    # One; a slow machine's poll may add its own, but never one for each reader
    assert run(follow()) <= 3


def test_a_reader_that_cannot_keep_up_loses_its_buffer_and_not_its_place(
    talk: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reader, "BUFFER_CHARACTERS", 2_000)
    talk.happen(1)
    scope = whole(talk)

    async def follow() -> list[int]:
        async with Reader(scope, 0) as follower:
            events = await take(follower, 1)
            for _ in range(10):
                await store(talk.answer, "x" * 500)
            await asyncio.sleep(0.3)
            assert sum(batch.size for batch in follower._buffer) <= 2_000
            return positions(events + await take(follower, 10))

    assert run(follow()) == list(range(1, 12))


def test_silence_is_a_heartbeat_and_a_long_life_ends(
    talk: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reader, "HEARTBEAT_SECONDS", 0.1)
    monkeypatch.setattr(reader, "LIFE_SECONDS", 0.35)
    scope = whole(talk)

    async def follow() -> list[Any]:
        heard: list[Any] = []
        async with Reader(scope, 0) as follower:
            while not follower.is_closed:
                heard.append(await follower.next())
        assert not Hub.here()._channels
        return heard

    heard = run(follow())
    assert 2 <= len(heard) <= 5
    assert not any(heard)


def test_a_thousand_cut_points_give_the_same_view(talk: Talk) -> None:
    record(talk)
    scope = whole(talk)
    chance = random.Random(4821)

    async def read_in_pieces() -> None:
        async with Reader(scope, 0, follow=False) as follower:
            events = await rest(follower)
        expected = fold_all(map(as_envelope, events))
        assert expected["gap"] is None
        view, cuts = empty(), 0
        while cuts < CUTS:
            cursor = view["cursor"]
            async with Reader(scope, cursor, follow=False) as follower:
                piece = await rest(follower)
            assert positions(piece) == list(range(cursor + 1, scope.position + 1))
            cut = chance.randint(0, len(piece))
            # The wire repeats some of what was read before
            again = events[max(0, cursor - 2) : cursor]
            view = fold_all(map(as_envelope, again + piece[:cut]), view)
            cuts += 1
            if cut == len(piece):
                assert view == expected
                view = empty()

    run(read_in_pieces())


def record(talk: Talk) -> None:
    """Let a turn of every kind of event happen, a few times over."""
    for number in range(6):
        talk.tell("message.received", message_id=f"m{number}", text="a", author="c")
        talk.tell("run.status", status="thinking")
        call = {"call_id": f"c{number}", "operation_id": f"o{number}"}
        talk.tell("tool.started", **call, name="get_order", params={"id": "4821"})
        talk.tell("tool.completed", **call, artifact_id=None, ok=True)
        talk.tell("agent.handoff", **{"from": "root", "to": "refunds", "reason": "r"})
        surface = {"updateDataModel": {"surfaceId": "s1", "value": {"n": number}}}
        talk.tell("surface.updated", message={"version": "v0.9", **surface})
        talk.answer(f"Respuesta {number} ñ 😀")
        talk.end()
        talk.next_turn()


def as_envelope(event: Event) -> dict[str, Any]:
    """Return an event as a client parses it."""
    envelope: dict[str, Any] = json.loads(event.envelope())
    return envelope
