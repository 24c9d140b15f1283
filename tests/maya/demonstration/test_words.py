"""The demo speaks Spanish where LANG does, else English."""

import string

import pytest

from maya.demonstration.words import WORDS, words


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("es_MX.UTF-8", "Servidor web"),
        ("en_US.UTF-8", "Web server"),
        ("", "Web server"),
    ],
)
def test_the_language_is_lang_s(
    language: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANG", language)

    assert words("web") == said


@pytest.mark.parametrize("key", WORDS)
def test_both_languages_tell_the_same(key: str) -> None:
    spanish, english = (
        {field for _, field, _, _ in string.Formatter().parse(text) if field}
        for text in WORDS[key]
    )

    assert spanish == english
