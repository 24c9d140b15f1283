"""What a reader that stopped costs, and what a restart of Redis loses."""

import asyncio
import time

from tests.live.servers import Valkey

from .client import connect
from .measures import eventually, hang_up
from .sides import Maya

PIECE = 64 * 1024
PIECES = 4_000
"""Of that size: 250 MiB."""
WARM_UP = 200
FOLLOWERS = 50
WRITTEN, PAUSE_SECONDS = 75, 0.02
STOPS_AFTER, AWAY_FOR, LOOKS_AFTER = 0.5, 0.5, 3.0
LAST_LOOK_AFTER = 1.5
"""After the last event, where a busy machine writes it later than that."""


async def stopped_reader(side: Maya) -> float:
    """Return the MiB that a server grows by while one reader takes nothing."""
    channel = await asyncio.to_thread(side.channel)
    # First a reader that reads: what reading needs at all is no stopped reader's
    [reader] = await connect(side.web.port, [channel.request(side.web.host, 0)])
    await _produce(side, channel.name, 0, WARM_UP)
    await eventually(lambda: len(reader.seen) >= 1, 5)
    hang_up([reader])
    await asyncio.sleep(0.5)
    before = side.web.info.memory_info().rss
    [stopped] = await connect(side.web.port, [channel.request(side.web.host, WARM_UP)])
    stopped.transport.pause_reading()
    highest = before
    producing = asyncio.create_task(_produce(side, channel.name, WARM_UP, PIECES))
    while not producing.done():
        await asyncio.sleep(0.2)
        highest = max(highest, side.web.info.memory_info().rss)
    await producing
    hang_up([stopped])
    return (highest - before) / 1024 / 1024


async def _produce(side: Maya, channel: str, first: int, count: int) -> None:
    how = {"threads": 4, "padding": PIECE}
    await asyncio.to_thread(lambda: side.writer.write(channel, first, count, **how))


async def redis_restart(side: Maya, valkey: Valkey) -> int:
    """Return how many events are missing 3 s after Redis came back in mid-stream."""
    channel = await asyncio.to_thread(side.channel)
    requests = [channel.request(side.web.host)] * FOLLOWERS
    clients = await connect(side.web.port, requests)
    how = {"pause": PAUSE_SECONDS}
    writing = asyncio.create_task(
        asyncio.to_thread(lambda: side.writer.write(channel.name, 0, WRITTEN, **how))
    )
    await asyncio.sleep(STOPS_AFTER)
    valkey.stop()
    await asyncio.sleep(AWAY_FOR)
    await asyncio.to_thread(valkey.start)
    returned = time.perf_counter()
    await writing
    await asyncio.sleep(
        max(returned + LOOKS_AFTER - time.perf_counter(), LAST_LOOK_AFTER)
    )
    missing = sum(WRITTEN - len(set(client.seen)) for client in clients)
    hang_up(clients)
    return missing
