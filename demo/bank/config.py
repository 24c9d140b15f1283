"""What the bank reads from its environment."""

import os
from dataclasses import dataclass, field

from demo.door import Person

PEOPLE = {"beto": Person("beto", "Beto Ruiz", "beto@example.com")}
REQUIRED = ("BANK_DATABASE_URL", "BANK_SECRET", "BANK_TOKEN")


@dataclass(frozen=True, slots=True)
class Config:
    """The bank's settings: one secret signs its customers, one token lets Maya in."""

    port: int
    database_url: str = field(repr=False)
    secret: str = field(repr=False)
    token: str = field(repr=False)
    kid: str
    site_id: str
    maya_url: str

    @classmethod
    def from_env(cls) -> "Config":
        """Read the settings, or end the process with one clear sentence."""
        missing = [name for name in REQUIRED if not os.environ.get(name)]
        if missing:
            raise SystemExit(f"The bank needs {' and '.join(missing)}.")
        return cls(
            port=int(os.environ.get("BANK_PORT", "8702")),
            database_url=os.environ["BANK_DATABASE_URL"],
            secret=os.environ["BANK_SECRET"],
            token=os.environ["BANK_TOKEN"],
            kid=os.environ.get("BANK_KID", "k1"),
            site_id=os.environ.get("BANK_SITE_ID", "banco"),
            maya_url=os.environ.get("MAYA_URL", "http://127.0.0.1:8700").rstrip("/"),
        )
