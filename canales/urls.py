"""Addresses that messaging platforms call."""

from django.urls import path

from .webhook import webhook

urlpatterns = [path("telegram/webhook", webhook, name="telegram-webhook")]
