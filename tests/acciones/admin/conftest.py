"""The cast in front of the admin: nobody's endpoint is called here."""

from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from django.test import Client

from acciones.models import Member
from tests.acciones import cast as people
from tests.acciones.cast import Cast

from .browsing import browser, complaints, orm_beside_the_browser, visit

__all__ = ["browser", "complaints", "orm_beside_the_browser", "visit"]

As = Callable[[Member | User], Client]


@pytest.fixture
def house(db: None) -> Cast:
    """Return the cast of one site; its endpoint is only ever shown."""
    return people.assemble("https://shop.example")


@pytest.fixture
def entered() -> As:
    """Return a function that signs somebody in, with CSRF checks on."""

    def enter(who: Member | User) -> Client:
        client = Client(enforce_csrf_checks=False)
        client.force_login(who.user if isinstance(who, Member) else who)
        return client

    return enter


@pytest.fixture
def support(db: None) -> User:
    """Return a superuser who is a member of nothing."""
    return User.objects.create_superuser("support", "support@example.com")
