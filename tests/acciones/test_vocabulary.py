"""The vocabulary is closed, and its page says what it holds."""

from io import StringIO
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import call_command
from jsonschema import Draft202012Validator, ValidationError

from acciones import vocabulary
from acciones.models import Event

from .cast import Cast


def test_the_page_is_what_the_table_says() -> None:
    written = StringIO()
    call_command("describe_events", "--stdout", stdout=written)
    page = (Path(settings.BASE_DIR) / "docs" / "events.md").read_text()
    assert page.strip() == written.getvalue().strip()


def test_unknown_types_and_fields_are_refused() -> None:
    with pytest.raises(KeyError):
        vocabulary.check("run.exploded", {})
    with pytest.raises(ValidationError):
        vocabulary.check("run.status", {"status": "done", "token": "secret"})


def test_every_stored_event_is_a_valid_envelope(cast: Cast) -> None:
    cast.dispatched()
    validator = Draft202012Validator(vocabulary.envelope())
    for event in Event.objects.all():
        vocabulary.check(event.type, event.payload)
        assert {**event.envelope()}.keys() == vocabulary.envelope()["properties"].keys()
        assert validator.is_valid(event.envelope())
