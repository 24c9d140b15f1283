"""The demo's owner: a member of both sites, and no more than that."""

from collections.abc import Iterable

from django.contrib.auth import get_user_model

from acciones.models import Member, Site


def write_owner(name: str, password: str, sites: Iterable[Site]) -> None:
    """Write the owner; a password that somebody changed stays changed."""
    users = get_user_model().objects
    owner = users.filter(username=name).first()
    if owner is None:
        owner = users.create_user(username=name, password=password)
    if not owner.is_staff:
        owner.is_staff = True
        owner.save(update_fields=["is_staff"])
    for site in sites:
        Member.objects.update_or_create(
            site=site, user=owner, defaults={"role": Member.Role.OWNER}
        )
