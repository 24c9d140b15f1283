"""The conversation that every side plays: a hand-off, three tools, twenty deltas.

Standard library alone: each side imports this in an environment of its own. A side
asks for the next step by how many results the model has already seen.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from typing import Any

ASKED = "Revisa el pedido 4821 y prepara un reembolso"
COORDINATOR, SPECIALIST = "coordinator", "refund_specialist"
REASON = {"reason": "Quiere que le devuelvan un pedido."}
CALLS: list[tuple[str, dict[str, Any]]] = [
    ("search_policy", {"question": "plazo de devolución de un pedido sin abrir"}),
    ("lookup_get_order", {"order_id": "4821"}),
    (
        "change_refund_order",
        {"order_id": "4821", "amount": "79.00", "reason": "Sin abrir"},
    ),
]
ORDER = {
    "order_id": "4821",
    "status": "delivered",
    "amount": "79.00",
    "currency": "EUR",
    "delivered_on": "2026-11-18",
    "refundable": True,
}
POLICY = (
    "Aceptamos devoluciones durante 30 días desde la entrega si el producto sigue sin "
    "abrir. El reembolso va a la tarjeta con la que se pagó."
)
PROPOSED = {"status": "proposed", "note": "El cliente la ve en una tarjeta."}
ANSWER = (
    "Tu pedido llegó hace doce días y la política permite devolverlo sin abrir; "
    "preparé la propuesta y puedes confirmarla ahora. "
)
WORDS = [f"{word} " for word in ANSWER.split()]
PATIENCE = 90
"""Seconds that an answer waits for all the others; one that failed never comes."""
assert len(WORDS) == 20, len(WORDS)


class Pace:
    """How the fake model speaks: at once, at a person's pace, or waiting for all."""

    def __init__(self) -> None:
        """Speak at once."""
        self.think = self.gap = 0.0
        self.expected = self.arrived = 0
        self.together: Callable[[], None] = lambda: None
        self.opened: asyncio.Event | None = None

    def gather(self, count: int, together: Callable[[], None]) -> None:
        """Hold so many answers in their middle, and call once all are there."""
        self.expected, self.arrived, self.together = count, 0, together
        self.opened = asyncio.Event()

    async def begin(self) -> None:
        """Think, as long as a model does before its first chunk."""
        if self.think:
            await asyncio.sleep(self.think)

    async def words(self) -> AsyncIterator[str]:
        """Speak the answer in twenty deltas; a paced one begins with its moment."""
        for place, word in enumerate(WORDS):
            if self.opened is not None and place == len(WORDS) // 2:
                await self._meet()
            if self.gap and place == 0:
                yield f"{time.monotonic_ns()} "
            elif self.gap:
                await asyncio.sleep(self.gap)
                yield word
            else:
                yield word

    async def _meet(self) -> None:
        assert self.opened is not None
        self.arrived += 1
        if self.arrived == self.expected:
            self.together()
            self.opened.set()
        async with asyncio.timeout(PATIENCE):
            await self.opened.wait()


PACE = Pace()
