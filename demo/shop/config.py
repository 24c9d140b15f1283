"""What the shop reads from its environment."""

import os
from dataclasses import dataclass, field

from demo.door import Person

PEOPLE = {
    "ana": Person("ana", "Ana López", "ana@example.com"),
    "luis": Person("luis", "Luis Mora", "luis@example.com"),
}


@dataclass(frozen=True, slots=True)
class Config:
    """The shop's settings; the secret is the one Maya keeps as its AgentSecret."""

    port: int
    database: str
    secret: str = field(repr=False)
    kid: str
    site_id: str
    maya_url: str
    customer: str

    @classmethod
    def from_env(cls) -> "Config":
        """Read the settings, or end the process with one clear sentence."""
        missing = [n for n in ("SHOP_DB", "SHOP_SECRET") if not os.environ.get(n)]
        if missing:
            raise SystemExit(f"The shop needs {' and '.join(missing)}.")
        customer = os.environ.get("SHOP_CUSTOMER", "ana")
        if customer not in PEOPLE:
            raise SystemExit(f"SHOP_CUSTOMER is one of: {', '.join(PEOPLE)}.")
        return cls(
            port=int(os.environ.get("SHOP_PORT", "8701")),
            database=os.environ["SHOP_DB"],
            secret=os.environ["SHOP_SECRET"],
            kid=os.environ.get("SHOP_KID", "k1"),
            site_id=os.environ.get("SHOP_SITE_ID", "tienda"),
            maya_url=os.environ.get("MAYA_URL", "http://127.0.0.1:8700").rstrip("/"),
            customer=customer,
        )
