"""Policies: split by headings, published in versions, found, cited, read again."""

import asyncio

import pytest

from acciones.models import Conversation, Evidence, Site
from acciones.readers import FOUND, NOT_FOUND, read_again
from agente.knowledge.observe import observe
from agente.knowledge.publish import publish
from agente.knowledge.search import search
from agente.knowledge.split import MAXIMUM_CHARACTERS, split
from agente.models import Passage, Policy, Turn
from maya.seeds.shop_words import POLICIES
from tests.agente.conftest import visitor_of


@pytest.fixture
def site(transactional_db: None) -> Site:
    """Return a site with the shop's policies."""
    site = Site.objects.create(public_id="biblioteca", name="Biblioteca")
    for slug, (title, text) in POLICIES.items():
        publish(Policy.objects.create(site=site, slug=slug, title=title), text)
    return site


def sections(markdown: str) -> list[tuple[str, str, str]]:
    """Return what a document is split into."""
    return [(part.section, part.heading, part.text) for part in split(markdown)]


def test_headings_make_sections_and_their_numbers_stay() -> None:
    assert sections(
        "# Título\n\n## 1. Uno\n\na\n\n## 3) Tres\n\nb\n\n### 3.1 Más\nc"
    ) == [
        ("1", "Uno", "a"),
        ("3", "Tres", "b"),
        ("3.1", "Más", "c"),
    ]


def test_sections_without_a_number_are_counted() -> None:
    assert [part[0] for part in sections("Intro\n\n## A\n\na\n\n## B\n\nb")] == [
        "1",
        "2",
        "3",
    ]


def test_a_number_that_is_taken_is_not_given_twice() -> None:
    found = sections("## 1. A\n\na\n\n## 1. B\n\nb\n\n## C\n\nc")
    assert len({part[0] for part in found}) == 3


def test_a_heading_in_a_code_block_is_no_heading() -> None:
    assert len(sections("## 1. A\n\n```\n## 2. no\n```\n")) == 1


def test_an_empty_document_has_no_passages() -> None:
    assert sections("") == sections("# Solo título\n") == []


def test_long_sections_are_cut_at_paragraphs() -> None:
    text = "\n\n".join(["palabra " * 200] * 6)
    parts = split(f"## 2. Largo\n\n{text}")
    assert [part.section for part in parts[:2]] == ["2", "2.b"]
    assert max(len(part.text) for part in parts) <= MAXIMUM_CHARACTERS
    assert len(split("## 2. X\n\n" + "y" * 9000)) == 3


QUESTIONS = [
    ("¿Puedo devolver un producto sin abrir?", "returns-policy:section-3"),
    ("plazo para devolver productos sin abrir", "returns-policy:section-3"),
    ("¿y si ya está abierto o usado?", "returns-policy:section-4"),
    ("¿cuándo me llega el reembolso?", "returns-policy:section-5"),
    ("quiero cancelar un pedido en preparación", "returns-policy:section-2"),
    ("¿cuánto cuesta el envío?", "shipping-policy:section-2"),
    ("gastos de envio gratis", "shipping-policy:section-2"),
    ("¿Qué pasa si no estoy en casa?", "shipping-policy:section-3"),
    ("horas que tarda en llegar a la península", "shipping-policy:section-1"),
]


@pytest.mark.parametrize(("question", "reference"), QUESTIONS)
def test_a_question_finds_its_passage(
    site: Site, question: str, reference: str
) -> None:
    assert search(site, question)[0].reference == reference


def test_the_right_passage_is_among_those_that_a_model_reads(site: Site) -> None:
    found = search(site, "cuantos dias tengo para devoluciones")
    assert "returns-policy:section-3" in [passage.reference for passage in found]


def test_accents_and_cases_do_not_matter(site: Site) -> None:
    plain, accented = search(site, "DEVOLUCION"), search(site, "devolución")
    assert [p.reference for p in plain] == [p.reference for p in accented]


@pytest.mark.parametrize("question", ["", "   ", "&|!():*'", "el la los", "'; DROP --"])
def test_questions_without_words_find_nothing(site: Site, question: str) -> None:
    assert search(site, question) == []


def test_english_is_found_too(site: Site) -> None:
    policy = Policy.objects.create(site=site, slug="warranty", title="Warranty")
    publish(policy, "## 1. Repairs\n\nBroken devices are repaired.", language="en")
    assert search(site, "is my device repairable? repairing")[0].reference == (
        "warranty:section-1"
    )


def test_another_sites_policies_are_not_found(site: Site) -> None:
    other = Site.objects.create(public_id="otra", name="Otra")
    assert search(other, "devolución") == []


def test_a_disabled_policy_is_not_found(site: Site) -> None:
    Policy.objects.filter(slug="shipping-policy").update(enabled=False)
    assert {p.policy.slug for p in search(site, "envío")} <= {"returns-policy"}


def test_the_same_text_is_no_new_version(site: Site) -> None:
    policy = Policy.objects.get(slug="returns-policy")
    assert publish(policy, POLICIES["returns-policy"][1]).number == 1
    assert publish(policy, "## 1. Nueva\n\nOtra cosa.").number == 2
    assert [
        p.version.number for p in Passage.objects.filter(policy=policy, current=True)
    ] == [2]


def test_a_passage_is_read_again_at_dispatch(site: Site) -> None:
    conversation = Conversation.objects.create(site=site, visitor=visitor_of(site))
    turn = Turn.objects.create(
        conversation=conversation, kind="message", state="queued", position=0
    )
    [evidence, *_] = observe(turn, search(site, "productos sin abrir"))
    assert evidence.reference == "returns-policy:section-3"
    assert evidence.title == (
        "Política de devoluciones, sección 3: Plazo para productos sin abrir"
    )

    def reading() -> tuple[str, bool]:
        found = asyncio.run(read_again(Evidence.objects.get(pk=evidence.pk)))
        return found.status, found.fingerprint == evidence.fingerprint

    assert reading() == (FOUND, True)
    policy = Policy.objects.get(slug="returns-policy")
    publish(policy, POLICIES["returns-policy"][1].replace("30 días", "15 días"))
    assert reading() == (FOUND, False)
    publish(policy, "## 1. Nada\n\nYa no se admite.")
    assert reading()[0] == NOT_FOUND
