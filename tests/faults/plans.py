"""How each worker will die: at a write, or at a byte."""

import random
from collections import deque
from dataclasses import dataclass, replace

# Every write that a worker makes on a run's way; the matrix fails when one of them
# is not reached, because it has another name by now
WRITES = (
    "claim.claim",
    "claim.begin",
    "settle.conclude",
    "settle.fail",
    "settle.doubt",
    "settle.postpone",
    "settle.record",
    "recover.requeue",
    "verify.verify",
    "notices.tell",
)
POINTS = tuple(f"{when} {name}" for name in WRITES for when in ("before", "after"))
OFTEN = ("claim.claim", "claim.begin", "settle.conclude")
REQUEST_BYTES, ANSWER_BYTES = 900, 600
"""A little more than either has, so that the last byte gets its turn."""


@dataclass(frozen=True)
class Plan:
    """One death: the n-th ``turn`` of a point, or so many ``bytes`` of a wire."""

    point: str = ""
    turn: int = 1
    direction: str = ""
    bytes: int = 0


class Plans:
    """Deaths without end; what could not happen goes to the front again."""

    def __init__(self, source: random.Random) -> None:
        self.source = source
        self.waiting = deque[Plan]()

    def take(self) -> Plan:
        """Return the next death."""
        if not self.waiting:
            self.waiting.extend(self._round())
        return self.waiting.popleft()

    def give_back(self, plan: Plan) -> None:
        """Take back a death whose point was not reached."""
        if plan.point:
            self.waiting.insert(self.source.randint(0, 3), replace(plan, turn=1))

    def _round(self) -> list[Plan]:
        """Return every point once, and bytes all along both ways, in a random order."""
        some = [self._at(point) for point in POINTS]
        some += [Plan(direction="request", bytes=n) for n in self._bytes(REQUEST_BYTES)]
        some += [Plan(direction="answer", bytes=n) for n in self._bytes(ANSWER_BYTES)]
        self.source.shuffle(some)
        return some

    def _at(self, point: str) -> Plan:
        often = point.endswith(OFTEN)
        return Plan(point, self.source.randint(1, 3) if often else 1)

    def _bytes(self, most: int) -> list[int]:
        step = most // 9
        return [0, *(self.source.randint(at, at + step) for at in range(0, most, step))]
