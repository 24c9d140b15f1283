"""Cursors: of one turn, of the future, older than what is kept, and of long pages."""

import pytest

from agente.streaming import log
from agente.streaming.log import Batch, Event
from agente.streaming.reader import Reader
from agente.streaming.scope import Scope
from tests.live.loop import run, store
from tests.live.reading import take, whole
from tests.live.talk import Talk


def test_a_turn_alone_has_its_own_order(talk: Talk) -> None:
    talk.happen(2)
    talk.next_turn()
    talk.happen(2)
    first = whole(talk)
    scope = Scope(talk.id, talk.turn_id, 2, first.position)

    async def follow() -> list[tuple[int, int]]:
        async with Reader(scope, 1, drafts=False) as follower:
            events = await take(follower, 1)
            await store(talk.happen, 1)
            events += await take(follower, 1)
            return [(event.seq, event.position) for event in events]

    assert run(follow()) == [(2, 4), (3, 5)]


@pytest.mark.parametrize("cursor", [9, 10**17])
def test_a_future_cursor_gets_a_snapshot_and_then_goes_on(
    talk: Talk, cursor: int
) -> None:
    talk.tell("message.received", message_id="m-1", text="hola", author="customer")
    talk.happen(1)
    scope = whole(talk)

    async def follow() -> list[Event]:
        async with Reader(scope, cursor) as follower:
            events = await take(follower, 1)
            await store(talk.happen, 1)
            return events + await take(follower, 1)

    snapshot, after = run(follow())
    assert (snapshot.type, snapshot.position, after.position) == ("snapshot", 2, 3)
    assert '"text":"hola"' in snapshot.payload


def test_a_cursor_older_than_retention_gets_a_snapshot_and_then_goes_on(
    talk: Talk,
) -> None:
    talk.happen(5)
    talk.answer("Lista.")
    talk.conversation.event_set.filter(position__lte=3).delete()
    scope = whole(talk)

    async def follow() -> list[Event]:
        async with Reader(scope, 1) as follower:
            events = await take(follower, 1)
            await store(talk.happen, 1)
            return events + await take(follower, 1)

    snapshot, after = run(follow())
    assert (snapshot.type, snapshot.position, after.position) == ("snapshot", 6, 7)
    assert '"text":"Lista."' in snapshot.payload


def test_a_history_that_was_pruned_whole_gets_a_snapshot(talk: Talk) -> None:
    talk.happen(3)
    talk.conversation.event_set.all().delete()
    scope = whole(talk)

    async def follow() -> list[Event]:
        async with Reader(scope, 1) as follower:
            events = await take(follower, 1)
            await store(talk.happen, 1)
            return events + await take(follower, 1)

    snapshot, after = run(follow())
    assert (snapshot.type, snapshot.position, after.position) == ("snapshot", 3, 4)


def test_pages_are_bounded_in_bytes(talk: Talk) -> None:
    for _ in range(6):
        talk.answer("x" * 100_000)
    scope = whole(talk)

    async def sizes() -> list[int]:
        batches: list[Batch] = []
        async with Reader(scope, 0, follow=False) as follower:
            while not follower.is_closed:
                batches += [
                    frame for frame in await follower.next() if isinstance(frame, Batch)
                ]
        assert sum(len(batch.events) for batch in batches) == 6
        return [batch.size for batch in batches]

    assert max(run(sizes())) < log.PAGE_CHARACTERS + 101_000
