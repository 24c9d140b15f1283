"""What one person may see and do here, read once per request from memberships."""

from dataclasses import dataclass
from typing import Any, TypeVar

from django.db.models import Model, QuerySet
from django.http import HttpRequest

from acciones.models import Member, Site

KEPT = "_maya_reach"
Rows = TypeVar("Rows", bound=Model)


@dataclass(frozen=True)
class Reach:
    """A person's memberships. ``support`` (a superuser) sees every site.

    Support decides nothing: a decision belongs to a member of the site.
    """

    members: tuple[Member, ...]
    support: bool

    @property
    def is_empty(self) -> bool:
        """Say whether there is nothing at all to see."""
        return not (self.support or self.members)

    @property
    def owns_any(self) -> bool:
        """Say whether this person may change the settings of some site."""
        return self.support or any(m.role == Member.Role.OWNER for m in self.members)

    def member(self, site_id: int) -> Member | None:
        """Return the membership of a site, if there is one."""
        return next((m for m in self.members if m.site_id == site_id), None)

    def sees(self, site_id: int) -> bool:
        """Say whether the rows of this site may be shown."""
        return self.support or self.member(site_id) is not None

    def owns(self, site_id: int) -> bool:
        """Say whether the settings of this site may be changed."""
        member = self.member(site_id)
        return self.support or (member is not None and member.role == Member.Role.OWNER)

    def decides(self, site_id: int) -> bool:
        """Say whether this person may approve and reject on this site."""
        member = self.member(site_id)
        return member is not None and member.may_decide

    def narrow(self, rows: "QuerySet[Rows]", path: str) -> "QuerySet[Rows]":
        """Keep the rows whose site (at the lookup ``path``) is within reach."""
        if self.support:
            return rows
        return rows.filter(**{f"{path}__in": [m.site_id for m in self.members]})

    def sites(self, *, owned: bool = False) -> "QuerySet[Site]":
        """Return the sites within reach, or only those whose settings may change."""
        if self.support:
            return Site.objects.order_by("name")
        members = [m for m in self.members if not owned or m.role == Member.Role.OWNER]
        return Site.objects.filter(pk__in=[m.site_id for m in members]).order_by("name")


def reach(request: HttpRequest) -> Reach:
    """Return what the person behind this request may see and do: one query."""
    kept: Any = request.__dict__.get(KEPT)
    if isinstance(kept, Reach):
        return kept
    user: Any = request.user
    found = Reach(members=(), support=False)
    if user.is_active and user.is_staff:
        members = Member.objects.filter(user=user).select_related("site")
        found = Reach(members=tuple(members), support=user.is_superuser)
    request.__dict__[KEPT] = found
    return found
