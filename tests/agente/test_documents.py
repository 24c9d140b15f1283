"""Owners' documents become Markdown with their headings, or a clear refusal."""

import io
import zipfile

import pytest
from docx import Document
from pypdf import PdfWriter
from pypdf.generic import DecodedStreamObject, DictionaryObject, NameObject

from agente.knowledge.documents import MAXIMUM_BYTES, Unreadable, markdown
from agente.knowledge.split import split


def docx() -> bytes:
    """Return a Word document with a title and two headings."""
    document = Document()
    document.add_heading("Garantía", level=0)
    document.add_heading("1. Plazo", level=1)
    document.add_paragraph("Tres años.")
    document.add_heading("2. Piezas", level=1)
    document.add_paragraph("Todas menos las pilas.")
    written = io.BytesIO()
    document.save(written)
    return written.getvalue()


def pdf(text: str) -> bytes:
    """Return a one-page PDF that says a text."""
    writer = PdfWriter()
    page = writer.add_blank_page(width=300, height=200)
    font = DictionaryObject(
        {
            NameObject("/Type"): NameObject("/Font"),
            NameObject("/Subtype"): NameObject("/Type1"),
            NameObject("/BaseFont"): NameObject("/Helvetica"),
        }
    )
    fonts = DictionaryObject({NameObject("/F1"): font})
    page[NameObject("/Resources")] = DictionaryObject({NameObject("/Font"): fonts})
    stream = DecodedStreamObject()
    stream.set_data(f"BT /F1 12 Tf 20 100 Td ({text}) Tj ET".encode())
    page[NameObject("/Contents")] = stream
    written = io.BytesIO()
    writer.write(written)
    return written.getvalue()


def test_a_word_document_keeps_its_headings() -> None:
    parts = split(markdown("garantia.docx", docx()))
    assert [(part.section, part.heading, part.text) for part in parts] == [
        ("1", "Plazo", "Tres años."),
        ("2", "Piezas", "Todas menos las pilas."),
    ]


def test_html_keeps_its_headings_and_drops_its_scripts() -> None:
    page = (
        b"<html><head><title>x</title></head><body><h1>Env&iacute;os</h1>"
        b"<script>alert('## 9. no')</script><h2>1. Plazo</h2><p>Dos\n## d\xc3\xadas"
        b"</p><ul><li>uno</li><li>dos</li></ul></body></html>"
    )
    [part] = split(markdown("envios.html", page))
    assert (part.section, part.heading) == ("1", "Plazo")
    assert part.text == "Dos ## días\n\n- uno\n- dos"


def test_a_pdf_gives_its_text() -> None:
    assert "Treinta dias" in markdown("x.PDF", pdf("Treinta dias"))


@pytest.mark.parametrize(
    "raw", ["## 1. Año\n\ncinco".encode(), "## 1. Año\n\ncinco".encode("cp1252")]
)
def test_text_is_read_in_its_encoding(raw: bytes) -> None:
    assert split(markdown("x.md", raw))[0].heading == "Año"


def bomb() -> bytes:
    """Return a DOCX that is small outside and huge inside."""
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("word/document.xml", b"0" * (60 * 1024 * 1024))
    return written.getvalue()


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("x.exe", b"MZ"),
        ("x", b"text"),
        ("x.txt", b"   \n "),
        ("x.txt", b"x" * (MAXIMUM_BYTES + 1)),
        ("x.txt", b"x" * 450_000),
        ("x.pdf", b"%PDF-1.7 not really"),
        ("x.pdf", pdf("")),
        ("x.docx", b"PK not a zip"),
        ("x.docx", bomb()),
        ("x.html", b"<script>only()</script>"),
    ],
)
def test_what_cannot_be_read_is_refused(name: str, content: bytes) -> None:
    with pytest.raises(Unreadable):
        markdown(name, content)
