"""The reader's language, from the request."""

from django.utils.translation import get_language_from_request
from rest_framework.request import Request


def language_of(request: Request) -> str:
    """Return the language code that fits the request's Accept-Language."""
    return get_language_from_request(request._request)
