"""Strict JSON, canonical hashes, and characters that would hide something."""

import unicodedata

import pytest

from maya.lib import canonical
from maya.lib.shown import visible
from maya.lib.stored import is_storable, storable


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"{",
        b'{"a":1,"a":2}',
        b'{"a":{"b":1,"b":2}}',
        b"NaN",
        b"Infinity",
        b'"\xff"',
        b'"\\ud800"',
        b'"\\u0000"',
        b'{"\\u0000":1}',
        b"[" * 100_000,
        b"[" * 65 + b"]" * 65,
        b'{"a":' * 500 + b"1" + b"}" * 500,
        "\ufeff{}".encode(),
        b"1" * 5000,
    ],
)
def test_what_is_not_strict_json_is_refused(raw: bytes) -> None:
    with pytest.raises(canonical.NotJSON):
        canonical.strict_loads(raw)


def test_plain_json_is_read() -> None:
    assert canonical.strict_loads('{"a":["ñ",1.5,null,"\\n"]}') == {
        "a": ["ñ", 1.5, None, "\n"]
    }


def test_what_only_looks_unfit_is_read() -> None:
    assert canonical.strict_loads(r'"\\u0000 and \\ud800"') == r"\u0000 and \ud800"
    assert canonical.strict_loads('"' + "[{" * 500 + '"') == "[{" * 500
    assert canonical.strict_loads("[" * 50 + "]" * 50) is not None
    assert len(canonical.strict_loads("[" + "[]," * 500 + "1]")) == 501


def test_key_order_does_not_change_a_hash() -> None:
    assert canonical.sha256({"b": 1, "a": 2.0}) == canonical.sha256({"a": 2, "b": 1})


def test_the_wire_keeps_its_order_and_its_letters() -> None:
    assert canonical.compact({"b": "ñ", "a": 1}) == '{"b":"ñ","a":1}'.encode()


@pytest.mark.parametrize(
    "hidden",
    [
        "\u202e",
        "\U000e0100",
        "\u3164",
        "\u2800",
        "\u200b",
        "\u00ad",
        "\x00",
        "\n",
        "\u2028",
        "\ufeff",
        "\u00a0",
        "\ufe0f",
        "\U000e0041",
        "\u061c",
        "\u034f",
    ],
)
def test_hidden_characters_are_written_out(hidden: str) -> None:
    assert visible(f"a{hidden}b") == f"a⟨U+{ord(hidden):04X}⟩b"


def test_ordinary_text_stays_as_it_is() -> None:
    text = "Auriculares «Aura» · 79,00 € — ¿sin abrir? 日本語 Ñandú"
    assert visible(text) == text
    assert visible(unicodedata.normalize("NFD", text)) == unicodedata.normalize(
        "NFD", text
    )


@pytest.mark.parametrize("character", ["\x00", "\ud83d"])
def test_what_no_column_holds_is_replaced(character: str) -> None:
    assert storable(f"a{character}b") == "a\ufffdb"
    assert not is_storable(character)
    assert storable("Ana 😀\n") == "Ana 😀\n"
