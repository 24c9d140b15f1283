"""The demo's secrets: generated once, kept in a file that only its owner reads."""

import os
import secrets
from collections.abc import Callable
from pathlib import Path

from cryptography.fernet import Fernet

OWNER = "propietario"
GENERATED: dict[str, Callable[[], str]] = {
    "MAYA_SECRET_KEY": lambda: secrets.token_urlsafe(48),
    "MAYA_ENCRYPTION_KEYS": lambda: Fernet.generate_key().decode(),
    "SHOP_SECRET": lambda: secrets.token_urlsafe(32),
    "BANK_SECRET": lambda: secrets.token_urlsafe(32),
    "BANK_TOKEN": lambda: secrets.token_urlsafe(32),
    "MAYA_OWNER_USER": lambda: OWNER,
    "MAYA_OWNER_PASSWORD": lambda: secrets.token_urlsafe(12),
}


def read_keys(path: Path) -> tuple[dict[str, str], bool]:
    """Returns the demo's secrets, and whether they were generated just now.

    What an older demo's file lacks is added to it; what it has stays as it is.
    """
    kept = parse(path.read_text()) if path.exists() else {}
    missing = {name: make() for name, make in GENERATED.items() if name not in kept}
    if missing:
        write(path, kept | missing)
    return kept | missing, "MAYA_OWNER_PASSWORD" in missing


def parse(text: str) -> dict[str, str]:
    """Reads lines of NAME=value."""
    pairs = (line.partition("=") for line in text.splitlines())
    return {name: value for name, sign, value in pairs if sign}


def write(path: Path, keys: dict[str, str]) -> None:
    """Writes the file whole or not at all, and never readable by others."""
    fresh = path.with_name(f"{path.name}.new")
    fresh.unlink(missing_ok=True)
    descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w") as file:
        file.writelines(f"{name}={value}\n" for name, value in keys.items())
    fresh.rename(path)
