"""Reads the Origin and Host headers: whatever a program wrote there, nothing raises."""

from urllib.parse import urlsplit

from django.conf import settings
from django.http.request import split_domain_port, validate_host


def host_of(origin: str) -> str:
    """Return an origin's host and port in lower case; nothing for what is none."""
    try:
        return urlsplit(origin).netloc.lower()
    except ValueError:
        return ""


def is_ours(host: str) -> bool:
    """Say whether a Host header names this installation, as Django's views judge it."""
    domain, _ = split_domain_port(host)
    allowed = settings.ALLOWED_HOSTS
    if settings.DEBUG and not allowed:
        allowed = [".localhost", "127.0.0.1", "[::1]"]
    return bool(domain) and validate_host(domain, allowed)
