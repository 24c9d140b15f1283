"""The demo's secrets are made once and kept for their owner alone."""

import stat
from pathlib import Path

from cryptography.fernet import Fernet

from maya.demonstration.keys import GENERATED, read_keys


def test_secrets_are_generated_once(tmp_path: Path) -> None:
    path = tmp_path / "demo.env"
    first, first_is_new = read_keys(path)
    second, second_is_new = read_keys(path)

    assert set(first) == set(GENERATED)
    assert second == first
    assert (first_is_new, second_is_new) == (True, False)
    assert len(set(first.values())) == len(first)
    assert Fernet(first["MAYA_ENCRYPTION_KEYS"])


def test_only_their_owner_can_read_them(tmp_path: Path) -> None:
    path = tmp_path / "demo.env"
    read_keys(path)

    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_an_older_demo_s_file_gets_what_it_lacks(tmp_path: Path) -> None:
    path = tmp_path / "demo.env"
    path.write_text("# mine\nMAYA_OWNER_PASSWORD=kept=as it is\n")

    keys, are_new = read_keys(path)

    assert keys["MAYA_OWNER_PASSWORD"] == "kept=as it is"
    assert not are_new
    assert read_keys(path) == (keys, False)
