"""Fails when a source file is over 300 lines without a reason given here."""

import subprocess
import sys
from pathlib import Path

LIMIT = 300
SOURCES = ("*.py", "*.ts", "*.css", "*.html", "*.sh", "Makefile")
ALLOWED: dict[str, str] = {
    "tests/agente/streaming/test_jsonl.py": "one transport's whole contract",
}
"""Path → why it is one subject all the same."""


def sources() -> list[Path]:
    """Returns the sources that people write, known to git or about to be."""
    listing = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", *SOURCES],
        check=True,
        capture_output=True,
        text=True,
    )
    paths = [Path(line) for line in listing.stdout.splitlines()]
    return [path for path in paths if path.exists() and "migrations" not in path.parts]


def main() -> int:
    """Prints every file that is too long and returns how many there are."""
    found = 0
    for path in sources():
        lines = len(path.read_text().splitlines())
        if lines > LIMIT and str(path) not in ALLOWED:
            print(f"{path}: {lines} lines (at most {LIMIT}, or say why in {__file__})")
            found += 1
    return found


if __name__ == "__main__":
    sys.exit(min(main(), 1))
