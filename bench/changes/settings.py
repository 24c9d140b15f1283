"""The tests' settings, and one task that does nothing but the HTTP step."""

from tests.settings import *  # noqa: F403
from tests.settings import INSTALLED_APPS

INSTALLED_APPS = [*INSTALLED_APPS, "bench.changes"]
