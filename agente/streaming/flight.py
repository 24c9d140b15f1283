"""What was sent over a WebSocket and not yet acknowledged: bounded, on any server."""

import asyncio
from collections import deque

MOST_BYTES = 256 * 1024


class Flight:
    """Bytes on their way. A draft has no position: the next event takes it along."""

    __slots__ = ("_acknowledged", "_has_room", "_marks", "sent")

    def __init__(self) -> None:
        self.sent = 0
        self._acknowledged = 0
        self._marks: deque[tuple[int, int]] = deque()
        self._has_room = asyncio.Event()

    @property
    def is_full(self) -> bool:
        """Say whether too much is on its way to send more."""
        return self.sent - self._acknowledged > MOST_BYTES

    def add(self, size: int, position: int | None) -> None:
        """Note a message that was sent; ``position`` is an event's."""
        self.sent += size
        if position is not None:
            self._marks.append((position, self.sent))

    def acknowledge(self, position: int) -> None:
        """Take everything up to a position as received."""
        while self._marks and self._marks[0][0] <= position:
            self._acknowledged = self._marks.popleft()[1]
        self._has_room.set()

    async def room(self) -> None:
        """Wait until the client received enough to be sent more."""
        while self.is_full:
            self._has_room.clear()
            await self._has_room.wait()
