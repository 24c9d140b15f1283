"""What a reader may see: a whole conversation, or one turn or run of it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Scope:
    """A place in the log that somebody was allowed to read, as it was then.

    Cursors count ``position`` in a conversation and, with ``run_id``, ``seq`` in that
    turn or run. ``last`` is the newest of them, ``position`` the conversation's.
    ``open_turns`` are the turns, oldest first, that the agent still works on: their
    drafts are worth having.
    """

    conversation_id: str
    run_id: str | None
    last: int
    position: int
    open_turns: tuple[str, ...] = ()
