"""Pages that the owner's house gets from outside: the chats', and the API's keys."""

from django.contrib import admin

from acciones.api.owner.tokens_page import TokenAdmin
from acciones.models import ApiToken

from .models import TelegramLink
from .telegram_page import TelegramAdmin

admin.site.register(TelegramLink, TelegramAdmin)
admin.site.register(ApiToken, TokenAdmin)
