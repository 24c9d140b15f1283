"""Turns to read: what was asked, each attempt at an answer, each call and result."""

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from acciones.admin.reach import reach
from acciones.admin.scoped import HistoryAdmin
from agente.models import ToolCall, Turn, TurnAttempt
from maya.lib.shown import visible

if TYPE_CHECKING:
    Rows = admin.TabularInline[Any, Any]
else:
    Rows = admin.TabularInline

SHOWN = 200


class _Read(Rows):
    """Rows of a turn, to read by whoever may see its site."""

    extra = 0
    can_delete = False
    show_change_link = False

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Show them with their turn, whose own page was judged already."""
        return not reach(request).is_empty

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Refuse: history is written by what happens."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Refuse: history does not change."""
        return False


class AttemptRows(_Read):
    """The requests to the model, the broken ones too."""

    model = TurnAttempt
    fields = (
        "number",
        "step",
        "agent",
        "model",
        "state",
        "diagnosis",
        "detail",
        "input_tokens",
        "output_tokens",
    )
    readonly_fields = fields
    ordering = ("number",)


class CallRows(_Read):
    """The tool calls, as they were stored before they ran."""

    model = ToolCall
    fields = ("name", "given", "state", "gave", "finished")
    readonly_fields = fields
    ordering = ("attempt__number", "place")

    @admin.display(description=_("argumentos"))
    def given(self, call: ToolCall) -> str:
        """Return the arguments, with nothing hidden in them."""
        return visible(str(call.arguments))[:SHOWN]

    @admin.display(description=_("resultado"))
    def gave(self, call: ToolCall) -> str:
        """Return the beginning of the result, with nothing hidden in it."""
        return visible(str(call.result))[:SHOWN]


class TurnAdmin(HistoryAdmin):
    """Every answer of the agents, with how it came about."""

    site_path = "conversation__site_id"
    list_display = ("asked", "kind", "agent", "state", "reason", "created")
    list_filter = ("state", "kind")
    list_select_related = ("conversation",)
    search_fields = ("=id", "=conversation__id")
    ordering = ("-created",)
    fields = (
        "asked",
        "kind",
        "agent",
        "state",
        "reason",
        "claims",
        "created",
        "finished_at",
    )
    readonly_fields = fields
    inlines = (AttemptRows, CallRows)

    @admin.display(description=_("petición"))
    def asked(self, turn: Turn) -> str:
        """Return what was typed or clicked."""
        given = turn.input.get("text") or turn.input.get("name") or turn.input
        return visible(str(given))[:SHOWN]
