"""The one endpoint of all sides: it answers ``done`` and notes when bytes came.

python -m bench.changes.handler PORT
"""

import asyncio
import json
import re
import sys
import time
from collections import defaultdict

ANSWER = b'{"status":"done"}'
SLOW_SECONDS = 0.3
"""How long ``/slow`` takes, so that a worker can be killed in the middle."""
LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)
KEY = re.compile(rb"\r\nx-maf-idempotency-key: *([^\r]+)", re.IGNORECASE)
came: dict[str, list[float]] = defaultdict(list)


class Handler(asyncio.Protocol):
    """One connection, kept open for as long as its client likes."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin with nothing."""
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        self.read, self.since = b"", 0.0

    def data_received(self, data: bytes) -> None:
        """Answer each request once all of it is there."""
        self.since = self.since or time.time()
        self.read += data
        head, found, body = self.read.partition(b"\r\n\r\n")
        length = LENGTH.search(head)
        if not found or len(body) < int(length[1] if length else 0):
            return
        key = KEY.search(head)
        if key:
            came[key[1].decode()].append(self.since)
        content = ANSWER if key else json.dumps(came).encode()
        self.read, self.since = b"", 0.0
        answer = (
            b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n"
            b"content-length: %d\r\n\r\n%s" % (len(content), content)
        )
        if head.startswith(b"POST /slow"):
            loop = asyncio.get_running_loop()
            loop.call_later(SLOW_SECONDS, self.transport.write, answer)
        else:
            self.transport.write(answer)


async def main(port: int) -> None:
    """Serve for ever."""
    server = await asyncio.get_running_loop().create_server(Handler, "127.0.0.1", port)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1])))
