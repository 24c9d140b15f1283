"""Fetches Telegram's updates, for a machine without a public address."""

import time
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError, connections
from telegram.error import TelegramError

from canales.poll import poll
from canales.telegram import bot, client

PAUSE_SECONDS = 3.0


class Command(BaseCommand):
    help = "Fetch and handle Telegram's updates until stopped (long polling)."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--take-over",
            action="store_true",
            help="remove the webhook first; Telegram allows one of the two",
        )
        parser.add_argument(
            "--once", action="store_true", help="handle what is there and end"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            row = bot.check()
            if options["take_over"]:
                client.call("delete_webhook")
            self.stdout.write(f"Polling for @{row.username}. Ctrl-C ends it.")
            if options["once"]:
                poll(row, seconds=0)
                return
        except bot.NoBot as error:
            raise CommandError("MAYA_TELEGRAM_TOKEN is not set.") from error
        except TelegramError as error:
            raise CommandError(f"Telegram says: {error.message}") from error
        while True:
            self._round(row)

    def _round(self, row: Any) -> None:
        """Poll once; a hiccup costs a pause, a refused token ends it."""
        try:
            poll(row)
        except TelegramError as error:
            verdict = client.verdict_of(error)
            if verdict.name == "disabled":
                bot.disable(verdict.detail)
                raise CommandError(f"Telegram says: {error.message}") from error
            self._pause(verdict.detail, verdict.after)
        except DatabaseError as error:
            self._pause(type(error).__name__)
        finally:
            connections.close_all()

    def _pause(self, why: str, seconds: float = 0) -> None:
        self.stderr.write(f"{why}. Trying again.")
        time.sleep(max(PAUSE_SECONDS, seconds))
