"""What every test relies on: services to talk to, and nothing left running."""

import os

import pytest

pytest_plugins = ["tests.live.fixtures"]

HOW_TO = (
    "DATABASE_URL and REDIS_URL are not set. Run `make test`, or for a part of it:"
    " python -m maya.lib.services --var var/tests -- pytest tests/acciones"
)


def pytest_sessionstart(session: pytest.Session) -> None:
    """Says in one sentence what a run without services lacks."""
    if not (os.environ.get("DATABASE_URL") and os.environ.get("REDIS_URL")):
        pytest.exit(HOW_TO, returncode=pytest.ExitCode.USAGE_ERROR)
