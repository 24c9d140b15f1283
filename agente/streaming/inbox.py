"""``/ws/inbox``: tells a site's members when to look again, and nothing else.

What waits for a decision comes with the page's own query; only the hint travels here.
"""

import asyncio
from importlib import import_module

from django.conf import settings
from django.contrib import auth
from django.db import connections
from django.http import HttpRequest, parse_cookie

from acciones.admin.reach import reach
from maya.lib import canonical

from .access import BadHost, Caller
from .answer import App, Message
from .hub import Hub
from .reader import HEARTBEAT_SECONDS, LIFE_SECONDS
from .socket import PING, Socket

FORBIDDEN = 4403
GATHER_SECONDS = 0.2
"""A decision changes several rows: one hint for all of them."""


class InboxSocket(Socket):
    """One member's open inbox."""

    async def websocket_connect(self, message: Message) -> None:
        """Let in who is signed in and came from our own page."""
        sites = await self._sites()
        if not sites:
            await self.close(FORBIDDEN)
            return
        await self.accept()
        self.start(self._serve(sites))

    async def websocket_receive(self, message: Message) -> None:
        """Hear nothing: a member's browser only listens here."""

    async def _sites(self) -> dict[int, str]:
        try:
            caller = Caller.of(self.asked)
        except BadHost:
            return {}
        headers = dict(self.asked["headers"])
        cookies = parse_cookie(headers.get(b"cookie", b"").decode("latin-1"))
        key = cookies.get(settings.SESSION_COOKIE_NAME)
        if not key or not caller.is_same_origin:
            return {}
        return await asyncio.to_thread(_sites_of, key)

    async def _serve(self, sites: dict[int, str]) -> None:
        """Pass hints on until it is time to ask again who is signed in."""
        loop = asyncio.get_running_loop()
        ends = loop.time() + LIFE_SECONDS
        changed: set[int] = set()
        has_changed = asyncio.Event()

        def note(site: int) -> None:
            changed.add(site)
            has_changed.set()

        joined = Hub.here().sites
        joined.join(list(sites), note)
        try:
            await self.tell(b'{"type":"opened"}')
            while loop.time() < ends:
                if not await _happens(has_changed):
                    await self.tell(PING)
                    continue
                await asyncio.sleep(GATHER_SECONDS)
                has_changed.clear()
                while changed:
                    said = {"type": "changed", "site": sites[changed.pop()]}
                    await self.tell(canonical.compact(said))
        finally:
            joined.leave(list(sites), note)


inbox: App = InboxSocket.as_asgi()


async def _happens(event: asyncio.Event) -> bool:
    """Wait for something to happen, but not for longer than a heartbeat."""
    try:
        async with asyncio.timeout(HEARTBEAT_SECONDS):
            await event.wait()
    except TimeoutError:
        return False
    return True


def _sites_of(session_key: str) -> dict[int, str]:
    """Return the sites within reach of who is signed in, by primary key."""
    try:
        request = HttpRequest()
        store = import_module(settings.SESSION_ENGINE).SessionStore
        request.session = store(session_key)
        request.user = auth.get_user(request)
        return dict(reach(request).sites().values_list("pk", "public_id"))
    finally:
        connections.close_all()
