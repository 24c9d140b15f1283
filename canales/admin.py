"""The wires' pages in the owner's house."""

from django.contrib import admin

from .models import TelegramLink
from .telegram_page import TelegramAdmin

admin.site.register(TelegramLink, TelegramAdmin)
