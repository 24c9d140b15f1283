"""Reads the Origin header: whatever a program wrote there, it never raises."""

from urllib.parse import urlsplit


def host_of(origin: str) -> str:
    """Return an origin's host and port in lower case; nothing for what is none."""
    try:
        return urlsplit(origin).netloc.lower()
    except ValueError:
        return ""
