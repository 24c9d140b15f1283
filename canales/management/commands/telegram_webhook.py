"""Tells Telegram where to post updates, and with which secret."""

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.urls import reverse
from telegram.error import TelegramError

from canales.telegram import bot, client, config, wire


class Command(BaseCommand):
    help = "Set the bot's webhook to this installation; --delete removes it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--delete", action="store_true")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            row = bot.check()
            if options["delete"]:
                client.call("delete_webhook")
                self.stdout.write("No webhook now.")
                return
            address = self._set()
        except bot.NoBot as error:
            raise CommandError("MAYA_TELEGRAM_TOKEN is not set.") from error
        except TelegramError as error:
            raise CommandError(f"Telegram says: {error.message}") from error
        self.stdout.write(f"@{row.username} posts to {address}")

    def _set(self) -> str:
        secret = config.webhook_secret()
        if not secret:
            raise CommandError(
                "No webhook without a secret: set MAYA_TELEGRAM_SECRET to 32 or more "
                "of A-Z a-z 0-9 _ -, or use telegram_poll."
            )
        address = f"{settings.MAYA_BASE_URL}{reverse('telegram-webhook')}"
        client.call(
            "set_webhook",
            url=address,
            secret_token=secret.decode(),
            allowed_updates=wire.ALLOWED,
        )
        return address
