"""Run the fault matrix: ``python -m tests.faults --runs 300``.

Prints a table for people and, as its last line, one JSON object. Ends with 1 when a
run was lost, done twice, or is not what we say it is.
"""

import argparse
import json
import os
import random
import sys
import tempfile
from pathlib import Path
from typing import Any

import django

from .plans import POINTS
from .stage import Stage

FAULTS = ("lost", "doubled", "untrue", "unreached")


def main() -> int:
    """Set the stage, let the storm blow while runs are made, and judge."""
    asked = options()
    with tempfile.TemporaryDirectory() as folder:
        stage = Stage(Path(folder), os.environ["DATABASE_URL"])
        os.environ.update(stage.environ)
        django.setup()
        from .play import play  # noqa: PLC0415  models need settings

        source = random.Random(asked.seed)
        with stage.set(source, asked.workers):
            points = () if asked.some_points else POINTS
            figures = play(stage, asked.runs, source, points=points)
    show(figures)
    print(json.dumps(figures))
    return 1 if any(figures[name] for name in FAULTS) else 0


def options() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults")
    parser.add_argument("--runs", type=int, default=300)
    parser.add_argument("--workers", type=int, default=3)
    parser.add_argument("--seed", type=int, default=4821)
    parser.add_argument(
        "--some-points",
        action="store_true",
        help="too few runs for a death at every point: do not ask for that",
    )
    return parser.parse_args()


def show(figures: dict[str, Any]) -> None:
    """Print the figures for people."""
    for name, value in figures.items():
        if isinstance(value, dict):
            lines = [f"{many:5}  {what}" for what, many in value.items()]
        else:
            lines = value if isinstance(value, list) else []
        print(f"{name:14} {len(lines) if isinstance(value, list | dict) else value}")
        for line in lines:
            print(f"{'':14} {line}")


if __name__ == "__main__":
    sys.exit(main())
