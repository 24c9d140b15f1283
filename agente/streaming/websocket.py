"""``/ws/conversations/{id}``: full envelopes, acknowledged by the client.

The client speaks first: ``{"type": "open", "after": N, "token"?}``. What it did not
acknowledge (``{"type": "ack", "position": N}``) is bounded, because a server may keep
in memory whatever a client does not take.
"""

import asyncio
from dataclasses import replace
from typing import Any

from acciones.errors import BadInput, Forbidden, MayaError, NotFound
from maya.lib import canonical

from . import access, cursor
from .access import Caller, Visit
from .answer import App, Message
from .flight import Flight
from .log import Batch
from .reader import Frame, Reader
from .scope import Scope
from .socket import PING, Socket

OPEN_SECONDS = 10
ACK_SECONDS = 30
MOST_CHARACTERS = 4096
"""Of one message from the client: it has nothing long to say."""
MOST_BYTES = 8 * 1024 * 1024
"""Of one connection: a client could acknowledge what it never took."""


class BadMessage(BadInput):
    """Ese mensaje no se entiende aquí."""

    code = "bad_message"


class OpenLate(MayaError):
    """La conexión se abrió y no dijo nada."""

    code, status = "open_late", 408


class TooFarBehind(MayaError):
    """Vas demasiado atrás: vuelve a conectarte desde tu última posición."""

    code, status = "too_far_behind", 408


class ConversationSocket(Socket):
    """One client on one conversation."""

    async def websocket_connect(self, message: Message) -> None:
        """Accept, and wait for the client to say who it is and from where."""
        self._opening: asyncio.Future[Message] = (
            asyncio.get_running_loop().create_future()
        )
        self._flight = Flight()
        await self.accept()
        self.start(self._serve())

    async def websocket_receive(self, message: Message) -> None:
        """Take the opening, then acknowledgements, and nothing else."""
        try:
            said = _parse(message.get("text"))
            if not self._opening.done():
                self._opening.set_result(_of_type(said, "open"))
                return
            self._flight.acknowledge(cursor.check(_of_type(said, "ack")["position"]))
        except (MayaError, KeyError) as error:
            if self._sender is not None:
                self._sender.cancel()
            await self.refuse(error if isinstance(error, MayaError) else BadMessage())

    async def _serve(self) -> None:
        opening = await self._opened()
        mine = await self._authorise(opening)
        after = cursor.check(opening.get("after", 0))
        async with Reader(mine, after) as reader:
            await self._send_opened(mine)
            while self._flight.sent < MOST_BYTES and not reader.is_closed:
                await self._room()
                await self._pass_on(await reader.next())

    async def _opened(self) -> Message:
        try:
            async with asyncio.timeout(OPEN_SECONDS):
                return await self._opening
        except TimeoutError:
            raise OpenLate from None

    async def _authorise(self, opening: Message) -> Scope:
        """Return the conversation if it is the caller's, and the page may show it."""
        caller = Caller.of(self.asked)
        token = opening.get("token")
        if token is not None:
            if not isinstance(token, str):
                raise BadMessage
            caller = replace(caller, tokens={token: None})
        id = self.asked["path_params"]["id"]
        visit = await access.visit(caller, conversation=id)
        if visit.scope is None:
            raise NotFound
        if not _may_show(caller, visit):
            raise Forbidden
        return visit.scope

    async def _room(self) -> None:
        if not self._flight.is_full:
            return
        try:
            async with asyncio.timeout(ACK_SECONDS):
                await self._flight.room()
        except TimeoutError:
            raise TooFarBehind from None

    async def _send_opened(self, mine: Scope) -> None:
        opened = {"type": "opened", "position": mine.position}
        await self.tell(canonical.compact(opened))

    async def _pass_on(self, frames: list[Frame]) -> None:
        if not frames:
            await self.tell(PING)
        for frame in frames:
            if isinstance(frame, Batch):
                for event in frame.events:
                    await self._tell(event.envelope().encode(), event.position)
            else:
                await self._tell(frame.encoded(), None)

    async def _tell(self, content: bytes, position: int | None) -> None:
        await self.tell(content)
        self._flight.add(len(content), position)


conversation: App = ConversationSocket.as_asgi()


def _may_show(caller: Caller, visit: Visit) -> bool:
    """Say whether the page that asks may: ours, one that the site named, or none."""
    if caller.origin is None or caller.is_same_origin:
        return True
    return caller.origin in visit.allowed_origins


def _parse(text: str | None) -> dict[str, Any]:
    if text is None or len(text) > MOST_CHARACTERS:
        raise BadMessage
    try:
        said = canonical.strict_loads(text)
    except canonical.NotJSON:
        raise BadMessage from None
    if not isinstance(said, dict):
        raise BadMessage
    return said


def _of_type(said: dict[str, Any], expected: str) -> dict[str, Any]:
    if said.get("type") != expected:
        raise BadMessage
    return said
