"""The server's fold and the browser's give the same view for the same history."""

import json
from pathlib import Path
from typing import Any

import pytest

from acciones import vocabulary
from agente.streaming.fold import empty, fold_all
from agente.streaming.snapshot import of_run

FOLDER = Path(__file__).parents[3] / "web" / "tests" / "histories"
FILES = sorted(FOLDER.glob("*.json"))


def durable(file: Path) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Return a history's facts, without what is provisional, and its view."""
    history = json.loads(file.read_text())
    return [event for event in history["events"] if "payload" in event], history["view"]


def test_there_are_histories() -> None:
    assert len(FILES) > 10


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_histories_are_written_in_the_vocabulary(file: Path) -> None:
    for event in durable(file)[0]:
        if file.stem != "unknown-type":
            vocabulary.check(event["type"], event["payload"])


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_history_folds_to_its_view(file: Path) -> None:
    events, view = durable(file)
    assert fold_all(events) == view


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_hundred_replays_change_nothing(file: Path) -> None:
    events, _ = durable(file)
    once, view = fold_all(events), empty()
    gapless = once["gap"] is None
    for _ in range(100):
        view = fold_all(events, view)
    assert view == once or not gapless


def test_a_run_alone_shows_what_is_its_own() -> None:
    events, whole = durable(FOLDER / "refund.json")
    [run_id] = whole["receipts"]
    alone = of_run(fold_all(events), run_id)
    assert alone["receipts"] == whole["receipts"]
    assert alone["status"] == whole["receipts"][run_id]["status"]
    assert alone["turns"] == {}
    assert all(message["run_id"] == run_id for message in alone["messages"])
