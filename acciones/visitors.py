"""Visitors' sessions: an opaque token, known here by its hash alone."""

import hashlib
import secrets

from django.db import transaction
from django.db.models.functions import Now

from .errors import IdentityRefused
from .identity import Identity
from .models import Conversation, Customer, Site, Visitor

TOKEN_BYTES = 32


def hashed(token: str) -> str:
    """Return how a token is stored and looked up."""
    return hashlib.sha256(token.encode("utf-8", "surrogateescape")).hexdigest()


def by_token(token: str) -> Visitor | None:
    """Return the visitor whose session this token opens."""
    return (
        Visitor.objects.select_related("site", "customer")
        .filter(token_hash=hashed(token), ended=None)
        .first()
    )


def open_session(
    site: Site, *, identity: Identity | None = None, current: Visitor | None = None
) -> tuple[Visitor, str]:
    """Open or keep a visitor's session; returns the visitor and a new token or "".

    An anonymous visitor who signs in keeps the session and its conversations; a
    different customer never inherits them: the old session ends and a new begins.
    """
    if current is not None and (current.site_id != site.pk or current.ended):
        current = None
    customer = _vouched(site, identity) if identity else None
    with transaction.atomic():
        current = _as_it_is(current)
        if current is not None and _may_keep(current, customer):
            if customer is not None and current.customer_id is None:
                Visitor.objects.filter(pk=current.pk).update(customer=customer)
                current.customer = customer
            return current, ""
        if current is not None:
            end_session(current)
        token = secrets.token_urlsafe(TOKEN_BYTES)
        visitor = Visitor.objects.create(
            site=site, customer=customer, token_hash=hashed(token)
        )
    return visitor, token


def end_session(visitor: Visitor) -> None:
    """Close a visitor's session and conversations."""
    Visitor.objects.filter(pk=visitor.pk).update(ended=Now())
    Conversation.objects.filter(visitor=visitor, closed=None).update(closed=Now())


def _as_it_is(current: Visitor | None) -> Visitor | None:
    """Return the session as the last one to sign in left it, held until we are done."""
    if current is None:
        return None
    held = Visitor.objects.select_for_update(no_key=True, of=("self",))
    return (
        held.select_related("site", "customer")
        .filter(pk=current.pk, ended=None)
        .first()
    )


def _may_keep(current: Visitor, customer: Customer | None) -> bool:
    return customer is None or current.customer_id in (None, customer.pk)


def _vouched(site: Site, identity: Identity) -> Customer:
    if identity.site != site.public_id:
        raise IdentityRefused
    customer, _ = Customer.objects.update_or_create(
        site=site,
        external_id=identity.id,
        defaults={"email": identity.email, "name": identity.name, "seen": Now()},
    )
    customer.refresh_from_db()
    return customer
