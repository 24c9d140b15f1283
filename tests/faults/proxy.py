"""A wire to the shop that kills a worker after any number of its bytes."""

import asyncio
import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

import psutil

CHUNK = 64 * 1024


@dataclass
class Death:
    """Kill this process once so many bytes of its request or answer have passed."""

    pid: int
    direction: str
    bytes: int


@dataclass
class Proxy:
    """Passes bytes on between workers and the shop; deaths wait for their process."""

    upstream: int
    deaths: dict[int, Death] = field(default_factory=dict)
    killed: dict[int, str] = field(default_factory=dict)

    async def serve(
        self, client: asyncio.StreamReader, out: asyncio.StreamWriter
    ) -> None:
        """Pass one connection on, as far as its process lives."""
        death = self._claim(out.get_extra_info("peername")[1])
        with suppress(OSError):
            shop, to_shop = await asyncio.open_connection("127.0.0.1", self.upstream)
            await asyncio.gather(
                self._pass(client, to_shop, death, "request"),
                self._pass(shop, out, death, "answer"),
            )
        out.close()

    def _claim(self, port: int) -> Death | None:
        """Return the death that waits for the process at the other end."""
        for pid in list(self.deaths):
            with suppress(psutil.Error):
                ends = psutil.Process(pid).net_connections("tcp4")
                if any(end.laddr.port == port for end in ends):
                    return self.deaths.pop(pid, None)
        return None

    async def _pass(
        self,
        source: asyncio.StreamReader,
        sink: asyncio.StreamWriter,
        death: Death | None,
        direction: str,
    ) -> None:
        """Pass bytes on to the end, or to the byte that is the last."""
        left = death.bytes if death and death.direction == direction else None
        with suppress(OSError):
            while left is None or left > 0:
                chunk = await source.read(CHUNK if left is None else left)
                if not chunk:
                    break
                sink.write(chunk)
                await sink.drain()
                left = None if left is None else left - len(chunk)
        if death and left == 0:
            self._kill(death)
        with suppress(OSError):
            sink.close()

    def _kill(self, death: Death) -> None:
        with suppress(ProcessLookupError):
            self.killed[death.pid] = f"byte of {death.direction}"
            os.kill(death.pid, signal.SIGKILL)


@contextmanager
def passing(upstream: int, port: int) -> Iterator[Proxy]:
    """Run a proxy between two ports of the loopback address, on its own thread."""
    proxy, loop = Proxy(upstream), asyncio.new_event_loop()
    loop.run_until_complete(asyncio.start_server(proxy.serve, "127.0.0.1", port))
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    try:
        yield proxy
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
