"""A customer at the keyboard: types, clicks, and reads what the log then holds."""

import itertools
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from acciones.models import Conversation, Event, Run, Visitor
from acciones.steps.confirm import confirm
from acciones.steps.dispatch import dispatch
from acciones.tokens import issue
from agente.loop.run import run_turn
from agente.models import Message, Turn
from agente.outcomes import adopt_offers, tell_outcomes
from agente.queue import StartedTurn
from agente.turns import start_action, start_message

_numbers = itertools.count(1)


@dataclass
class Talk:
    """One conversation of one visitor."""

    visitor: Visitor
    begun: UUID | None = None
    started: list[StartedTurn] = field(default_factory=list)

    def type(self, text: str) -> str:
        """Send a message, let the worker answer, return all that was said."""
        started = start_message(
            visitor=self.visitor,
            conversation_id=self.begun,
            message_id=f"m-{next(_numbers)}",
            text=text,
        )
        self.begun = started.conversation_id
        return self._answered(started)

    def click(
        self,
        name: str,
        context: dict[str, Any],
        *,
        component: str = "c",
        surface: str = "s1",
        key: str | None = None,
        **more: Any,
    ) -> StartedTurn:
        """Click on a surface and let the worker answer."""
        action = {
            "name": name,
            "surfaceId": surface,
            "sourceComponentId": component,
            "context": context,
            **more,
        }
        if key != "":
            action["idempotencyKey"] = key or f"k-{next(_numbers)}"
        started = self.act(action)
        self._answered(started)
        return started

    def act(self, action: dict[str, Any], version: str | None = None) -> StartedTurn:
        """Send an action as it is, and let nobody answer yet."""
        return start_action(
            visitor=self.visitor,
            conversation_id=self.conversation_id,
            action=action,
            version=version,
        )

    @property
    def conversation_id(self) -> UUID:
        """Return the conversation that has begun."""
        assert self.begun is not None
        return self.begun

    def _answered(self, started: StartedTurn) -> str:
        self.started.append(started)
        run_turn(started.turn_id)
        return self.said(started.turn_id)

    @property
    def turn(self) -> Turn:
        """Return the newest turn that this talk started."""
        return Turn.objects.get(pk=self.started[-1].turn_id)

    def said(self, turn_id: UUID) -> str:
        """Return what a turn said to the customer."""
        messages = Message.objects.filter(turn_id=turn_id).exclude(author="customer")
        return "\n".join(messages.order_by("created").values_list("text", flat=True))

    def events(self, *types: str, turn: bool = False) -> list[dict[str, Any]]:
        """Return the payloads of events, of the whole conversation or the last turn."""
        rows = Event.objects.filter(conversation_id=self.conversation_id)
        if turn:
            rows = rows.filter(run_id=self.started[-1].turn_id)
        if types:
            rows = rows.filter(type__in=types)
        return list(rows.order_by("position").values_list("payload", flat=True))

    def types(self) -> list[str]:
        """Return the types of the last turn's events, in order."""
        rows = Event.objects.filter(run_id=self.started[-1].turn_id)
        return list(rows.order_by("seq").values_list("type", flat=True))

    def run(self) -> Run:
        """Return the newest proposal's run."""
        runs = Run.objects.filter(conversation_id=self.conversation_id)
        return runs.select_related("proposal", "action").order_by("-created")[0]

    def runs(self) -> list[Run]:
        """Return every run of the conversation, the oldest first."""
        rows = Run.objects.filter(conversation_id=self.conversation_id)
        return list(rows.select_related("proposal").order_by("created"))

    def confirm(self) -> Run:
        """Press the card's button."""
        run = self.run()
        return confirm(run.pk, self.visitor, token=issue(run))

    def hear(self) -> list[str]:
        """Let changes be dispatched and outcomes be told; return what was told."""
        for run in Run.objects.filter(
            conversation_id=self.conversation_id, state="queued"
        ):
            dispatch(run.pk)
        adopt_offers()
        tell_outcomes()
        told = Message.objects.filter(
            conversation_id=self.conversation_id, author="application"
        )
        return list(told.order_by("created").values_list("text", flat=True))

    @property
    def conversation(self) -> Conversation:
        """Return the conversation's row."""
        return Conversation.objects.get(pk=self.conversation_id)
