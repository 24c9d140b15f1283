"""Seals secrets at rest with Fernet; the newest key seals, any known key opens."""

from cryptography.fernet import Fernet, MultiFernet
from django.conf import settings


def _vault() -> MultiFernet:
    return MultiFernet([Fernet(key) for key in settings.MAYA_ENCRYPTION_KEYS])


def seal(plain: str) -> bytes:
    """Return the sealed form of a secret."""
    return _vault().encrypt(plain.encode())


def open_sealed(sealed: bytes) -> str:
    """Return the secret; raises ``cryptography.fernet.InvalidToken`` otherwise."""
    return _vault().decrypt(sealed).decode()
