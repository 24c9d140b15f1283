"""Reads owners' documents as Markdown: text, HTML, PDF and DOCX."""

import io
import zipfile
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import PurePath

from docx import Document
from pypdf import PdfReader
from pypdf.errors import PyPdfError

MAXIMUM_BYTES = 5 * 1024 * 1024
MAXIMUM_CHARACTERS = 400_000
MAXIMUM_PAGES = 300
# A DOCX is a ZIP: its declared size says whether it is a bomb before it is opened
MAXIMUM_UNPACKED = 50 * 1024 * 1024


class Unreadable(ValueError):
    """The document cannot be read; the message is for its owner."""


def markdown(filename: str, content: bytes) -> str:
    """Return a document's text with its headings as Markdown; raises ``Unreadable``."""
    if len(content) > MAXIMUM_BYTES:
        raise Unreadable("El documento pasa de 5 MB.")
    reader = READERS.get(PurePath(filename).suffix.lower())
    if reader is None:
        raise Unreadable("Usa Markdown, texto, HTML, PDF o DOCX.")
    text = reader(content).replace("\x00", "").strip()
    if not text:
        raise Unreadable("No hay texto en el documento. ¿Es un escaneo?")
    if len(text) > MAXIMUM_CHARACTERS:
        raise Unreadable("El documento es demasiado largo: divídelo en varios.")
    return text


def _text(content: bytes) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("cp1252", "replace")


def _html(content: bytes) -> str:
    reader = _Headings()
    reader.feed(_text(content))
    return reader.markdown()


class _Headings(HTMLParser):
    """Keeps headings, paragraphs and list items; drops what is not for reading."""

    BLOCKS = {"p", "div", "section", "article", "br", "tr", "ul", "ol", "table"}
    SKIPPED = {"script", "style", "template", "noscript", "head", "svg"}

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self.skipping = 0

    def handle_starttag(self, tag: str, attrs: object) -> None:
        """Open a heading, an item or a block."""
        self.skipping += tag in self.SKIPPED
        if len(tag) == 2 and tag[0] == "h" and tag[1].isdigit():
            self.parts.append(f"\n\n{'#' * int(tag[1])} ")
        elif tag == "li":
            self.parts.append("\n- ")
        elif tag in self.BLOCKS:
            self.parts.append("\n\n")

    def handle_endtag(self, tag: str) -> None:
        """Close a heading or a part that is not read."""
        self.skipping -= tag in self.SKIPPED and self.skipping > 0
        if len(tag) == 2 and tag[0] == "h":
            self.parts.append("\n\n")

    def handle_data(self, data: str) -> None:
        """Keep a piece of text, its white space made one."""
        if not self.skipping and data.strip():
            # A line break inside a paragraph must not begin a heading
            start = " " if data[0].isspace() else ""
            end = " " if data[-1].isspace() else ""
            self.parts.append(start + " ".join(data.split()) + end)

    def markdown(self) -> str:
        """Return what was kept."""
        lines = "".join(self.parts).split("\n")
        return "\n".join(line.strip() for line in lines)


def _pdf(content: bytes) -> str:
    try:
        reader = PdfReader(io.BytesIO(content))
        if reader.is_encrypted or len(reader.pages) > MAXIMUM_PAGES:
            raise Unreadable("El PDF está cifrado o tiene demasiadas páginas.")
        return "\n\n".join(page.extract_text() for page in reader.pages)
    except (PyPdfError, ValueError, KeyError, TypeError, RecursionError) as error:
        if isinstance(error, Unreadable):
            raise
        raise Unreadable("No podemos leer ese PDF.") from error


def _docx(content: bytes) -> str:
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as packed:
            if sum(item.file_size for item in packed.infolist()) > MAXIMUM_UNPACKED:
                raise Unreadable("El documento es demasiado grande por dentro.")
        paragraphs = Document(io.BytesIO(content)).paragraphs
    except (zipfile.BadZipFile, ValueError, KeyError) as error:
        if isinstance(error, Unreadable):
            raise
        raise Unreadable("No podemos leer ese DOCX.") from error
    return "\n\n".join(
        _heading(paragraph.style.name if paragraph.style else "") + paragraph.text
        for paragraph in paragraphs
        if paragraph.text.strip()
    )


def _heading(style: str | None) -> str:
    """Return the Markdown mark of a Word style; ``Title`` is the document's own."""
    name, _, level = (style or "").partition(" ")
    if name == "Title":
        return "# "
    return (
        "#" * min(int(level) + 1, 6) + " "
        if name == "Heading" and level.isdigit()
        else ""
    )


READERS: dict[str, Callable[[bytes], str]] = {
    ".md": _text,
    ".markdown": _text,
    ".txt": _text,
    ".html": _html,
    ".htm": _html,
    ".pdf": _pdf,
    ".docx": _docx,
}
