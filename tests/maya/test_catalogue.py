"""The English catalogue: whole, and able to say what other modules hold as text."""

import inspect
import re
from pathlib import Path

import polib
import pytest
from django.conf import settings
from django.utils.translation import gettext, override

from acciones import conditions, errors
from acciones.admin import decide, said
from maya.lib import addresses

PO = Path(settings.BASE_DIR) / "locale/en/LC_MESSAGES/django.po"
PLACES = re.compile(r"%\(\w+\)[sd]|%s|\{\w+\}|</?kbd>")


def test_every_text_has_its_english() -> None:
    catalogue = polib.pofile(str(PO))
    assert [entry.msgid for entry in catalogue.untranslated_entries()] == []
    assert [entry.msgid for entry in catalogue.fuzzy_entries()] == []
    assert len(catalogue) > 300


def test_a_translation_keeps_every_place_to_fill() -> None:
    for entry in polib.pofile(str(PO)):
        if not entry.msgid_plural:
            given, wanted = PLACES.findall(entry.msgstr), PLACES.findall(entry.msgid)
            assert sorted(given) == sorted(wanted), entry.msgid


def test_the_built_catalogue_is_the_one_in_use() -> None:
    with override("en"):
        assert gettext("Aprobaciones") == "Approvals"
    with override("es"):
        assert gettext("Aprobaciones") == "Aprobaciones"


def test_refusals_of_addresses_are_listed_for_translators() -> None:
    source = inspect.getsource(addresses)
    raised = set(re.findall(r'Refused\("([^"]+)"\)', source))
    assert raised
    assert raised == set(said.ADDRESSES)


def test_words_of_conditions_are_listed_for_translators() -> None:
    assert set(conditions.WORDS.values()) <= set(said.CONDITIONS)


@pytest.mark.parametrize("code", sorted(decide.REFUSALS))
def test_what_an_approver_is_refused_with_is_a_known_code(code: str) -> None:
    kinds = vars(errors).values()
    assert code in {getattr(kind, "code", None) for kind in kinds}


def test_the_rest_of_an_approvers_refusals_are_listed_for_translators() -> None:
    for kind in (errors.MayaError, errors.NotFound, errors.Forbidden):
        assert (kind.__doc__ or "").strip() in said.ERRORS
