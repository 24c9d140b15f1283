"""Budgets of one turn: nothing goes on for ever, and the end is a sentence."""

from dataclasses import dataclass

from django.utils import timezone

from agente.models import ToolCall, TurnAttempt

STEPS = 12
"""Model requests; the longest story of ours takes five."""
CALLS = 24
HANDOFFS = 4
SECONDS = 180
TOKENS = 80_000
CLAIMS = 6
"""Times that a turn is taken up; one that kills its worker must not do so for ever."""

RETRY_DELAYS = (0.0, 2.0, 10.0)
"""Seconds before an inference is tried anew: at once after a cut, then with patience
for a busy provider. Then the turn fails: a person is waiting."""

HANDOFF_PREFIX = "transfer_to_"


@dataclass(frozen=True)
class Spent:
    """What a turn has used up so far, from its rows."""

    attempts: list[TurnAttempt]
    calls: list[ToolCall]

    def _seconds(self) -> float:
        # From the first request: a message that waited for a worker is not to blame
        if not self.attempts:
            return 0
        return (timezone.now() - self.attempts[0].started).total_seconds()

    def exhausted(self) -> str:
        """Return the budget that is used up, or an empty string."""
        accepted = [
            item for item in self.attempts if item.state == TurnAttempt.State.ACCEPTED
        ]
        handoffs = [c for c in self.calls if c.name.startswith(HANDOFF_PREFIX)]
        used = {
            "steps": len(accepted) >= STEPS,
            "calls": len(self.calls) >= CALLS,
            "handoffs": len(handoffs) > HANDOFFS,
            "seconds": self._seconds() > SECONDS,
            "tokens": sum(a.input_tokens + a.output_tokens for a in self.attempts)
            > TOKENS,
        }
        return next((name for name, over in used.items() if over), "")
