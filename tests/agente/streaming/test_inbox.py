"""The members' inbox: a hint when their site changes, for them alone."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client
from websockets.exceptions import InvalidStatus
from websockets.sync.client import ClientConnection, connect

from acciones.models import Member
from maya.lib import wake
from tests.live.servers import Valkey, Web
from tests.live.talk import Talk
from tests.live.wires import hear


def session_of(talk: Talk, *, member: bool) -> dict[str, str]:
    """Sign somebody in, and return the headers of their browser."""
    user = User.objects.create_user(f"u-{talk.site.public_id}-{member}", is_staff=True)
    if member:
        Member.objects.create(site=talk.site, user=user, role=Member.Role.VIEWER)
    client = Client()
    client.force_login(user)
    name = settings.SESSION_COOKIE_NAME
    return {"Cookie": f"{name}={client.cookies[name].value}"}


@contextmanager
def inbox(web: Web, headers: dict[str, str]) -> Iterator[ClientConnection]:
    """Open the inbox's WebSocket."""
    with connect(f"{web.socket_url}/ws/inbox", additional_headers=headers) as wire:
        yield wire


@pytest.fixture(autouse=True)
def users(talk: Talk) -> Iterator[None]:
    """Forget the users that a test made."""
    yield
    User.objects.filter(username__contains=talk.site.public_id).delete()


def test_a_member_is_told_when_the_site_changes(web: Web, talk: Talk) -> None:
    headers = session_of(talk, member=True) | {"Origin": web.url}
    with inbox(web, headers) as wire:
        assert hear(wire) == {"type": "opened"}
        for _ in range(3):
            wake.site(talk.site.pk)
        assert hear(wire) == {"type": "changed", "site": talk.site.public_id}
        with pytest.raises(TimeoutError):
            wire.recv(timeout=0.5)
        wake.site(talk.site.pk + 1_000)
        wake.site(talk.site.pk)
        assert hear(wire) == {"type": "changed", "site": talk.site.public_id}


def test_a_member_is_told_to_look_when_redis_comes_back(
    web: Web, talk: Talk, valkey: Valkey
) -> None:
    headers = session_of(talk, member=True) | {"Origin": web.url}
    with inbox(web, headers) as wire:
        assert hear(wire) == {"type": "opened"}
        valkey.stop()
        valkey.start()
        assert hear(wire) == {"type": "changed", "site": talk.site.public_id}


def test_nobody_else_gets_in(web: Web, talk: Talk) -> None:
    member = session_of(talk, member=True)
    stranger = session_of(talk, member=False)
    ours = {"Origin": web.url}
    for headers in (
        ours,
        stranger | ours,
        talk.cookie | ours,
        member,
        member | {"Origin": "https://evil.example"},
        {"Cookie": f"{settings.SESSION_COOKIE_NAME}=x"} | ours,
    ):
        with pytest.raises(InvalidStatus) as refused, inbox(web, headers):
            pass
        assert refused.value.response.status_code == 403
