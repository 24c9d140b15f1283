"""What a tool is: a name and a schema for the model, and code of ours behind it."""

from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any

from acciones.models import Conversation, Evidence, Run
from acciones.readers import Reading
from agente.models import ToolCall, Turn


@dataclass(frozen=True)
class Context:
    """Where a call runs. Whose data it reads comes from these rows alone."""

    turn: Turn
    conversation: Conversation
    call: ToolCall


@dataclass(frozen=True)
class Result:
    """What a call gave: a value for the model and the rows it made.

    ``ends`` is a message that ends the turn: the customer is asked something.
    """

    value: dict[str, Any]
    ok: bool = True
    evidence: Evidence | None = None
    run: Run | None = None
    ends: str = ""


Fetch = Callable[[Context], Coroutine[Any, Any, Reading]]
Store = Callable[[Context, Reading], Result]
Effect = Callable[[Context], Result]


@dataclass(frozen=True)
class Tool:
    """One tool of an agent.

    A **read** may run again after a crash: ``fetch`` asks the outside, in parallel
    with other reads, and ``store`` keeps what came. Any other is an ``effect``: rows
    of ours only, in one transaction with its result. ``told`` says how the tool is
    named to people while it runs; empty tools have an event of their own kind.
    """

    name: str
    description: str
    schema: dict[str, Any] = field(
        default_factory=lambda: {
            "type": "object",
            "properties": {},
            "required": [],
            "additionalProperties": False,
        }
    )
    told: str = ""
    fetch: Fetch | None = None
    store: Store | None = None
    effect: Effect | None = None
    bound: dict[str, Any] = field(default_factory=dict)

    @property
    def is_read(self) -> bool:
        """Say whether running it twice is the same as running it once."""
        return self.effect is None


def refused(code: str, note: str, **more: Any) -> Result:
    """Return a refusal as the model may read it: a code and a sentence of ours."""
    return Result({"status": "refused", "code": code, "note": note, **more}, ok=False)


def text(description: str, maximum: int, **more: Any) -> dict[str, Any]:
    """Return the schema of a text argument."""
    return {
        "type": "string",
        "description": description,
        "minLength": 1,
        "maxLength": maximum,
        **more,
    }


def schema(required: dict[str, Any], **optional: Any) -> dict[str, Any]:
    """Return the schema of a tool's arguments; anything else is refused."""
    return {
        "type": "object",
        "properties": {**required, **optional},
        "required": list(required),
        "additionalProperties": False,
    }
