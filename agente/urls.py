"""Addresses of the talker: the chat, alone or in a frame, and what it needs."""

from django.urls import path

from . import api, pages, widget

urlpatterns = [
    path("chat/<slug:public_id>/", pages.Chat.as_view(), name="chat"),
    path("widget.js", widget.loader, name="widget_loader"),
    path("widget/<slug:public_id>/", widget.frame, name="widget"),
    path("catalogo/v1.json", pages.catalogue_page, name="catalogue"),
    path("api/turns/<uuid:turn_id>/stop", api.Stop.as_view(), name="stop_turn"),
]
