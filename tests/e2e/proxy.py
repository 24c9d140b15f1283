"""A network between a browser and Maya that can be cut, and lead to another server."""

import asyncio
import threading
from collections.abc import Coroutine
from contextlib import suppress

from tests.demo.process import free_port

HOST = "127.0.0.1"
CHUNK = 64 * 1024


class Network:
    """Passes connections on to a port; while it is cut there is nobody there."""

    def __init__(self, target: int) -> None:
        """Listen on a port of its own."""
        self.port, self.target = free_port(), target
        self._open: set[asyncio.StreamWriter] = set()
        self._server: asyncio.Server | None = None
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self.restore()

    @property
    def origin(self) -> str:
        """Return where a browser finds it."""
        return f"http://{HOST}:{self.port}"

    def cut(self) -> None:
        """Break every connection, and take no new one."""
        self._do(self._cut())

    def restore(self) -> None:
        """Take connections again."""
        self._do(self._restore())

    def close(self) -> None:
        """End it for good."""
        self.cut()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(timeout=10)

    def _do(self, work: Coroutine[None, None, None]) -> None:
        asyncio.run_coroutine_threadsafe(work, self._loop).result(timeout=10)

    async def _restore(self) -> None:
        self._server = await asyncio.start_server(self._meet, HOST, self.port)

    async def _cut(self) -> None:
        if self._server is not None:
            self._server.close()
        self._server = None
        for writer in list(self._open):
            writer.transport.abort()

    async def _meet(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        try:
            far = await asyncio.open_connection(HOST, self.target)
        except OSError:
            writer.close()
            return
        ends = {writer, far[1]}
        self._open |= ends
        await asyncio.gather(_pump(reader, far[1]), _pump(far[0], writer))
        self._open -= ends


async def _pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while data := await reader.read(CHUNK):
            writer.write(data)
            await writer.drain()
    with suppress(OSError, RuntimeError):
        writer.close()
