"""Splits a policy into passages by its headings, each with a section to cite."""

import re
from dataclasses import dataclass

HEADING = re.compile(r"^(#{1,6})\s+(.+?)\s*#*$")
NUMBERED = re.compile(
    r"^(?:§|sección|seccion|section|art(?:ículo|iculo)?\.?)?\s*"
    r"(\d{1,3}(?:\.\d{1,3})*)[.):\s–—-]*(.*)$",
    re.IGNORECASE,
)
MAXIMUM_CHARACTERS = 4_000
"""A longer section is cut at a paragraph into 3, 3.b, 3.c …"""


@dataclass(frozen=True)
class Section:
    """One passage: its section as cited, its heading without the number, its text."""

    section: str
    heading: str
    text: str


def split(markdown: str) -> list[Section]:
    """Return the passages of a document, in order.

    A heading's own number is its section; the others are counted. The first-level
    heading is the document's title and makes no passage of its own.
    """
    found: list[Section] = []
    for heading, body in _blocks(markdown):
        if not body:
            continue
        number, title = _numbered(heading, {item.section for item in found})
        found.extend(_pieces(number, title, body))
    return found


def _blocks(markdown: str) -> list[tuple[str, str]]:
    blocks: list[tuple[str, list[str]]] = [("", [])]
    fenced = False
    for line in markdown.splitlines():
        fenced ^= line.lstrip().startswith("```")
        heading = None if fenced else HEADING.match(line)
        if heading:
            blocks.append((heading.group(2), []))
        else:
            blocks[-1][1].append(line)
    return [(heading, "\n".join(lines).strip()) for heading, lines in blocks]


def _numbered(heading: str, taken: set[str]) -> tuple[str, str]:
    match = NUMBERED.match(heading)
    if match and match.group(1) not in taken:
        return match.group(1), match.group(2).strip()
    number = len(taken) + 1
    while str(number) in taken:
        number += 1
    return str(number), heading


def _pieces(number: str, heading: str, body: str) -> list[Section]:
    pieces, current = [], ""
    for paragraph in re.split(r"\n\s*\n", body):
        for part in _cut(paragraph):
            if current and len(current) + len(part) > MAXIMUM_CHARACTERS:
                pieces.append(current)
                current = ""
            current = f"{current}\n\n{part}".strip()
    pieces.append(current)
    return [
        Section(number if place == 0 else f"{number}.{_letter(place)}", heading, text)
        for place, text in enumerate(pieces)
    ]


def _cut(paragraph: str) -> list[str]:
    return [
        paragraph[start : start + MAXIMUM_CHARACTERS]
        for start in range(0, len(paragraph), MAXIMUM_CHARACTERS)
    ]


def _letter(place: int) -> str:
    return chr(ord("a") + place) if place < 26 else f"x{place}"
