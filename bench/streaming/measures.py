"""What is measured, on one side at a time."""

import asyncio
import statistics
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial

from .client import Client, connect
from .sides import Channel, Maya, Side

REPLAYED = 3_000
FOLLOWERS = 200
FAN_OUTS = 40
WARM_UPS = 4
WRITERS, EACH_WRITES, WRITERS_FOLLOWERS = 8, 50, 5
FEW, MANY = 10, 500
PATIENCE_SECONDS = 30.0


async def eventually(holds: Callable[[], bool], seconds: float) -> bool:
    """Wait until something holds, or for as long as it may take."""
    deadline = time.perf_counter() + seconds
    while not holds():
        if time.perf_counter() > deadline:
            return False
        await asyncio.sleep(0.002)
    return True


def hang_up(clients: list[Client]) -> None:
    """Close them all."""
    for client in clients:
        client.close()


async def order(side: Side, channel: Channel, first: int, count: int) -> float:
    """Have events written, and go on reading meanwhile."""
    return await asyncio.to_thread(side.writer.write, channel.name, first, count)


async def fill(side: Side) -> Channel:
    """Write a history to be replayed."""
    channel = await asyncio.to_thread(side.channel)
    how = {"threads": WRITERS}
    await asyncio.to_thread(lambda: side.writer.write(channel.name, 0, REPLAYED, **how))
    return channel


async def replay(side: Side, channel: Channel) -> float:
    """Return the events a second that one client gets of a history.

    An answer may end before the history does: the client comes back with its cursor,
    as a browser does.
    """
    began = time.perf_counter()
    ended, cursor, seen = began, 0, 0
    while seen < REPLAYED and time.perf_counter() < began + PATIENCE_SECONDS:
        request = channel.request(side.web.host, cursor)
        [client] = await connect(side.web.port, [request], is_lazy=True)
        await eventually(
            partial(_is_read, client, REPLAYED - seen),
            PATIENCE_SECONDS,
        )
        hang_up([client])
        client.look()
        seen += len(client.seen)
        cursor, ended = client.cursors[-1], client.last_at
    return seen / (ended - began) if seen >= REPLAYED else 0.0


def _is_read(client: Client, count: int) -> bool:
    return client.has_ended or client.count >= count


@dataclass
class FanOut:
    """How one event reaches many followers."""

    last_seconds: float
    cpu_seconds: float
    lost: int


async def fan_out(side: Side) -> FanOut:
    """Send events one by one to many followers, and see the last of them get each."""
    channel = await asyncio.to_thread(side.channel)
    await order(side, channel, 0, 1)
    requests = [channel.request(side.web.host)] * FOLLOWERS
    clients = await connect(side.web.port, requests)
    await asyncio.sleep(1)
    lasts: list[float] = []
    cpu = 0.0
    for number in range(1, FAN_OUTS + WARM_UPS + 1):
        if number == WARM_UPS + 1:
            cpu = _cpu(side)
        began = time.perf_counter()
        await order(side, channel, number, 1)
        await eventually(partial(_all_got, clients, number), 3)
        lasts.append(max(c.at.get(number, began + 3) for c in clients) - began)
    spent = _cpu(side) - cpu
    lost = sum(FAN_OUTS + WARM_UPS - len({n for n in c.seen if n}) for c in clients)
    hang_up(clients)
    await asyncio.sleep(0.5)
    return FanOut(
        statistics.median(lasts[WARM_UPS:]), spent / FAN_OUTS / FOLLOWERS, lost
    )


def _all_got(clients: list[Client], number: int) -> bool:
    return all(number in client.at for client in clients)


@dataclass
class Writers:
    """What followers see of many who write to one channel at once."""

    rate: float
    missing: int
    duplicates: int
    backward: int


async def writers(side: Side) -> Writers:
    """Write from eight threads to one channel, and look at what followers got."""
    channel = await asyncio.to_thread(side.channel)
    total = WRITERS * EACH_WRITES
    requests = [channel.request(side.web.host)] * WRITERS_FOLLOWERS
    clients = await connect(side.web.port, requests)
    await asyncio.sleep(0.5)
    how = {"threads": WRITERS}
    seconds = await asyncio.to_thread(
        lambda: side.writer.write(channel.name, 0, total, **how)
    )
    await eventually(lambda: all(len(set(c.seen)) >= total for c in clients), 5)
    hang_up(clients)
    return Writers(
        rate=total / seconds,
        missing=sum(total - len(set(client.seen)) for client in clients),
        duplicates=sum(len(c.seen) - len(set(c.seen)) for c in clients),
        backward=sum(
            later <= earlier
            for client in clients
            for earlier, later in zip(client.cursors, client.cursors[1:], strict=False)
        ),
    )


@dataclass
class Idle:
    """What streams cost on which nothing happens."""

    kib_each: float
    more_threads: int
    more_connections: int


async def idle(
    side: Maya,
    requests: list[bytes],
    then: bytes,
    connections: Callable[[], Awaitable[int]],
) -> Idle:
    """Open many streams, each of a conversation of its own, and let them be."""
    # Once for nothing: what a first stream loads is no stream's own
    hang_up(await _settled(side, requests[:FEW], then))
    await asyncio.sleep(0.5)
    few = await _settled(side, requests[:FEW], then)
    process = side.web.info
    threads, held = process.num_threads(), await connections()
    memory = process.memory_info().rss
    more = await _settled(side, requests[FEW:], then)
    result = Idle(
        kib_each=(process.memory_info().rss - memory) / 1024 / len(more),
        more_threads=process.num_threads() - threads,
        more_connections=await connections() - held,
    )
    hang_up(few + more)
    await asyncio.sleep(1)
    return result


async def _settled(side: Maya, requests: list[bytes], then: bytes) -> list[Client]:
    clients = await connect(side.web.port, requests, then)
    await asyncio.sleep(1.5)
    return clients


def _cpu(side: Side) -> float:
    times = side.web.info.cpu_times()
    return float(times.user + times.system)
