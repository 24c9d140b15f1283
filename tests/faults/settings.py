"""The tests' settings, and an application that can kill its own process."""

from tests.settings import *  # noqa: F403
from tests.settings import INSTALLED_APPS, LOGGING

INSTALLED_APPS = [*INSTALLED_APPS, "tests.faults.apps.FaultsConfig"]
EMAIL_BACKEND = "django.core.mail.backends.dummy.EmailBackend"
# A pool says a line for every connection that is cut: thousands, here
LOGGING = {
    **LOGGING,
    "loggers": {"psycopg.pool": {"level": "ERROR"}, "httpx": {"level": "WARNING"}},
}
