"""Both READMEs name every setting that the environment can make, and no other."""

import re
from pathlib import Path

import pytest
from django.conf import settings

ROOT = Path(settings.BASE_DIR)
READ = re.compile(r'env\.\w+\(\s*"([A-Z_]+)"')
TOLD = re.compile(r"`((?:MAYA|OTEL|EMAIL|DATABASE|REDIS)_[A-Z_]+)`")
OF_THE_DEMO = {"MAYA_PORT"}


@pytest.mark.parametrize("name", ["README.md", "README.es.md"])
def test_every_setting_is_told(name: str) -> None:
    read = set(READ.findall((ROOT / "maya/settings.py").read_text()))
    told = set(TOLD.findall((ROOT / name).read_text()))
    assert told - OF_THE_DEMO == read


@pytest.mark.parametrize("name", ["README.md", "README.es.md", "CONTRIBUTING.md"])
def test_every_link_leads_somewhere(name: str) -> None:
    targets = re.findall(r"\]\(([^)#]+)\)", (ROOT / name).read_text())
    assert [t for t in targets if not (ROOT / t).exists()] == []
