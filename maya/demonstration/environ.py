"""What each process of the demo finds in its environment, and nothing else of ours."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import psycopg

from maya.demonstration.ports import HOST, Ports
from maya.demonstration.problem import DemoProblem
from maya.demonstration.words import words
from maya.lib.servers import ensure_database

SHOP, BANK = "tienda", "banco"
BANK_DATABASE = "maya_bank"
KID = "k1"
OURS = ("MAYA_", "SHOP_", "BANK_", "DATABASE_URL", "REDIS_URL")
COMPANIES = ("SHOP_", "BANK_", "MAYA_OWNER_")


@dataclass(frozen=True)
class Environ:
    """The demo's folder, ports, secrets and services, as environment variables."""

    folder: Path
    ports: Ports
    keys: Mapping[str, str]
    services: Mapping[str, str]

    @cached_property
    def everything(self) -> dict[str, str]:
        """Returns all of it. What the environment held before has the last word."""
        found = {
            **self.keys,
            "MAYA_ALLOWED_HOSTS": f"{HOST},localhost",
            "MAYA_BASE_URL": self.ports.maya_url,
            "MAYA_URL": self.ports.maya_url,
            "MAYA_DEV_ENDPOINTS": f"{self.ports.shop_url},{self.ports.bank_url}",
            "MAYA_BEAT_FILE": str(self.folder / "beat"),
            "SHOP_PORT": str(self.ports.shop),
            "SHOP_SITE_ID": SHOP,
            "SHOP_KID": KID,
            "SHOP_DB": str(self.folder / "shop.sqlite3"),
            "BANK_PORT": str(self.ports.bank),
            "BANK_SITE_ID": BANK,
            "BANK_KID": KID,
            "PYTHONUNBUFFERED": "1",
            **os.environ,
            **self.services,
        }
        if "BANK_DATABASE_URL" not in found:
            found["BANK_DATABASE_URL"] = bank_database(found["DATABASE_URL"])
        return found

    def author(self) -> dict[str, str]:
        """Returns all of it, for whoever writes the demo's data."""
        return self.everything

    def maya(self) -> dict[str, str]:
        """Returns what Maya itself needs: no company's secrets, no owner's password."""
        return {
            name: value
            for name, value in self.everything.items()
            if not name.startswith(COMPANIES)
        }

    def company(self, prefix: str) -> dict[str, str]:
        """Returns what a company knows: its own settings, and where Maya is."""
        return {
            name: value
            for name, value in self.everything.items()
            if name.startswith(prefix)
            or name == "MAYA_URL"
            or not name.startswith(OURS)
        }


def bank_database(url: str) -> str:
    """Returns the bank's own database on the server of `url`, made if need be."""
    try:
        return ensure_database(url, BANK_DATABASE)
    except psycopg.Error as error:
        reason = " ".join(str(error).split())
        raise DemoProblem(words("no database", reason=reason)) from error
