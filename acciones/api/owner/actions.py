"""A site's actions, for its members: list, show."""

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from acciones.errors import NotFound
from acciones.models import Action, ApiToken, Member

from . import described, written
from .view import OwnerView, member_of


def actions_of(member: Member) -> "QuerySet[Action]":
    """Return the actions of the member's site."""
    found = Action.objects.filter(site=member.site_id).select_related("connection")
    return found.order_by("kind", "name")


class Actions(OwnerView):
    """The actions of the token's site."""

    scope = ApiToken.Scope.ACTIONS_READ

    @extend_schema(
        operation_id="owner_actions_list",
        tags=["owner"],
        responses=described.answers(described.ACTIONS),
    )
    def get(self, request: Request) -> Response:
        """List the site's lookups and changes, also those that are switched off."""
        found = actions_of(member_of(request))
        return Response({"actions": [written.action(row) for row in found]})


class OneAction(OwnerView):
    """One action of the token's site."""

    scope = ApiToken.Scope.ACTIONS_READ

    @extend_schema(
        operation_id="owner_actions_show",
        tags=["owner"],
        responses=described.answers(described.ACTION, 404),
    )
    def get(self, request: Request, action_id: int) -> Response:
        """Show an action as it is defined."""
        row = actions_of(member_of(request)).filter(pk=action_id).first()
        if row is None:
            raise NotFound
        return Response(written.action(row))
