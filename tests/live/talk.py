"""A conversation to follow: its people, its tokens, and what happens in it."""

import secrets
from dataclasses import dataclass
from typing import Any

from django.db import connection

from acciones import events
from acciones.models import Conversation, Site, Visitor
from acciones.visitors import open_session
from agente.models import Turn

TURNS = "agente_turn"
OF_CONVERSATION = """conversation_id IN (
    SELECT id FROM acciones_conversation WHERE site_id = %s)"""
HELD = {
    "acciones_event": OF_CONVERSATION,
    "acciones_aplicadas": "site_id = %s",
    "agente_message": OF_CONVERSATION,
    "agente_turn": OF_CONVERSATION,
    "acciones_run": "site_id = %s",
    "acciones_conversation": "site_id = %s",
    "acciones_visitor": "site_id = %s",
    "acciones_member": "site_id = %s",
    "acciones_site": "id = %s",
}


@dataclass
class Talk:
    """A site with two visitors; the first has a conversation with one open turn."""

    site: Site
    visitor: Visitor
    token: str
    other: Visitor
    other_token: str
    conversation: Conversation
    turn: Turn

    @classmethod
    def begin(cls) -> "Talk":
        """Store the cast; each test has a site of its own."""
        site = Site.objects.create(
            public_id=f"s-{secrets.token_hex(4)}",
            name="Tienda",
            allowed_origins=["https://tienda.example"],
        )
        visitor, token = open_session(site)
        other, other_token = open_session(site)
        conversation = Conversation.objects.create(site=site, visitor=visitor)
        turn = cls._open_turn(conversation)
        return cls(site, visitor, token, other, other_token, conversation, turn)

    @staticmethod
    def _open_turn(conversation: Conversation) -> Turn:
        conversation.refresh_from_db()
        return Turn.objects.create(
            conversation=conversation,
            kind=Turn.Kind.MESSAGE,
            state=Turn.State.THINKING,
            position=conversation.position,
        )

    @property
    def id(self) -> str:
        """Return the conversation's id."""
        return str(self.conversation.id)

    @property
    def turn_id(self) -> str:
        """Return the open turn's id."""
        return str(self.turn.id)

    @property
    def bearer(self) -> dict[str, str]:
        """Return the headers of the visitor whose conversation it is."""
        return {"Authorization": f"Bearer {self.token}"}

    @property
    def cookie(self) -> dict[str, str]:
        """Return the same visitor's headers on the site's own page."""
        return {"Cookie": f"maya_visitor_{self.site.public_id}={self.token}"}

    @property
    def others_bearer(self) -> dict[str, str]:
        """Return the headers of the visitor who has no part in it."""
        return {"Authorization": f"Bearer {self.other_token}"}

    def last_position(self) -> int:
        """Return where the conversation is."""
        self.conversation.refresh_from_db()
        return self.conversation.position

    def next_turn(self) -> Turn:
        """Open another turn, which goes on from here."""
        self.turn = self._open_turn(self.conversation)
        return self.turn

    def tell(self, kind: str, **payload: Any) -> None:
        """Let something happen in the open turn."""
        events.append(TURNS, self.turn.id, type=kind, payload=payload)

    def happen(self, times: int) -> None:
        """Let a number of small things happen."""
        for _ in range(times):
            self.tell("run.status", status="using_tool")

    def answer(self, text: str = "Hola.", *, attempt: int = 1) -> None:
        """Complete the agent's answer."""
        message_id = secrets.token_hex(4)
        self.tell(
            "message.completed",
            message_id=message_id,
            text=text,
            attempt=attempt,
            sources=[],
        )

    def end(self, status: str = "done") -> None:
        """End the turn."""
        events.advance(
            TURNS,
            self.turn.id,
            to=status,
            sets={"finished_at": "clock_timestamp()"},
            type="run.status",
            payload={"status": status},
        )

    def forget(self) -> None:
        """Delete all that the site holds.

        Told table by table: Django looks through twenty related tables for each row.
        """
        with connection.cursor() as cursor:
            for table, owned in HELD.items():
                cursor.execute(f"DELETE FROM {table} WHERE {owned}", [self.site.pk])
