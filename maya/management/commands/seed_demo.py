"""Writes the demo's data; running it again changes nothing."""

import os
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from maya.seeds.bank import pinned_tools, write_bank
from maya.seeds.people import write_owner
from maya.seeds.shop import write_shop

NEEDED = ("SHOP_SECRET", "BANK_SECRET", "BANK_TOKEN")
OWNER_NEEDED = ("MAYA_OWNER_USER", "MAYA_OWNER_PASSWORD")


class Command(BaseCommand):
    help = "Write the demo's two sites, their agents and their owner."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--without-owner", action="store_true")

    def handle(self, *args: Any, **options: Any) -> None:
        needed = NEEDED if options["without_owner"] else NEEDED + OWNER_NEEDED
        missing = [name for name in needed if not os.environ.get(name)]
        if missing:
            raise CommandError(f"Set {', '.join(missing)}.")
        shop, bank = (
            _company("SHOP", "tienda", "8701"),
            _company("BANK", "banco", "8702"),
        )
        token = os.environ["BANK_TOKEN"]
        # Outside the transaction: this asks the bank
        pins = pinned_tools(url=bank["url"], token=token)
        with transaction.atomic():
            sites = [write_shop(**shop), write_bank(**bank, token=token, pins=pins)]
            if not options["without_owner"]:
                user, password = (os.environ[name] for name in OWNER_NEEDED)
                write_owner(user, password, sites)
        self.stdout.write("Demo data written.")


def _company(prefix: str, site_id: str, port: str) -> dict[str, str]:
    read = os.environ.get
    return {
        "site_id": read(f"{prefix}_SITE_ID", site_id),
        "kid": read(f"{prefix}_KID", "k1"),
        "secret": os.environ[f"{prefix}_SECRET"],
        "url": f"http://127.0.0.1:{read(f'{prefix}_PORT', port)}",
    }
