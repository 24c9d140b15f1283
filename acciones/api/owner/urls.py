"""Addresses under /api/owner/."""

from django.urls import path

from . import actions, decide, runs

urlpatterns = [
    path("runs", runs.Runs.as_view(), name="owner-runs"),
    path("runs/<uuid:run_id>", runs.OneRun.as_view(), name="owner-run"),
    path("runs/<uuid:run_id>/approve", decide.Approve.as_view(), name="owner-approve"),
    path("runs/<uuid:run_id>/reject", decide.Reject.as_view(), name="owner-reject"),
    path("actions", actions.Actions.as_view(), name="owner-actions"),
    path("actions/<int:action_id>", actions.OneAction.as_view(), name="owner-action"),
]
