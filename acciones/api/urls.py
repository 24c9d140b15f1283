"""Addresses under /api/ that the ledger answers."""

from django.urls import include, path

from . import callback, runs, sessions

urlpatterns = [
    path("sessions", sessions.Sessions.as_view(), name="sessions"),
    path("runs", runs.ReceiptList.as_view(), name="receipts"),
    path("runs/<uuid:run_id>", runs.Receipt.as_view(), name="receipt"),
    path("runs/<uuid:run_id>/confirm", runs.Confirm.as_view(), name="confirm"),
    path("runs/<uuid:run_id>/cancel", runs.Cancel.as_view(), name="cancel"),
    path("owner/", include("acciones.api.owner.urls")),
    path("agent/actions/<str:run_id>/callback", callback.callback, name="callback"),
]
