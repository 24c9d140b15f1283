"""Addresses of the talker: the chat page, the catalogue, and stopping a turn."""

from django.urls import path

from . import api, pages

urlpatterns = [
    path("chat/<slug:public_id>/", pages.Chat.as_view(), name="chat"),
    path("catalogo/v1.json", pages.catalogue_page, name="catalogue"),
    path("api/turns/<uuid:turn_id>/stop", api.Stop.as_view(), name="stop_turn"),
]
