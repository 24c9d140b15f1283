"""Customers whom sites vouched for: to read, with a way to their runs."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.http import urlencode
from django.utils.translation import gettext_lazy as _

from acciones.models import Customer
from maya.lib.shown import visible

from .scoped import HistoryAdmin
from .trail import looked


class CustomerAdmin(HistoryAdmin):
    """What a signed token said; only the identifier identifies."""

    list_display = ("id_shown", "name_shown", "email_shown", "site", "seen", "runs")
    fields = ("id_shown", "name_shown", "email_shown", "site", "seen", "runs")
    readonly_fields = fields
    search_fields = ("=external_id", "=email", "^name")
    list_select_related = ("site",)
    ordering = ("-seen",)

    def get_object(
        self, request: HttpRequest, object_id: str, from_field: str | None = None
    ) -> Any:
        """Return one customer; support opening it leaves a trace."""
        customer = super().get_object(request, object_id, from_field)
        if customer is not None:
            looked(request, customer.site, "customer", customer.pk)
        return customer

    @admin.display(description=_("identificador"), ordering="external_id")
    def id_shown(self, customer: Customer) -> str:
        """Return the id that the site gave."""
        return visible(customer.external_id)

    @admin.display(description=_("nombre"), ordering="name")
    def name_shown(self, customer: Customer) -> str:
        """Return the name, for display only."""
        return visible(customer.name)

    @admin.display(description=_("correo"), ordering="email")
    def email_shown(self, customer: Customer) -> str:
        """Return the address, for display only."""
        return visible(customer.email)

    @admin.display(description=_("ejecuciones"))
    def runs(self, customer: Customer) -> str:
        """Return a link to this customer's runs."""
        query = urlencode({"q": customer.external_id})
        address = f"{reverse('admin:acciones_run_changelist')}?{query}"
        return format_html('<a href="{}">{}</a>', address, _("Ver ejecuciones"))

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """Show the shown forms, never the raw ones."""
        return self.readonly_fields
