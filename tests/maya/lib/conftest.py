"""Folders for embedded services."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.maya.lib.supervised import folder


@pytest.fixture
def place() -> Iterator[Path]:
    """A folder that everybody may enter."""
    with folder(mode=0o755) as path:
        yield path


@pytest.fixture
def var(place: Path) -> Path:
    """A var folder, not there yet."""
    return place / "var"
