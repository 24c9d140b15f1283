"""The action editor in a real browser: saved as one types, through cut networks."""

from pathlib import Path

import pytest
from django.conf import settings as configured
from django.urls import reverse
from playwright.sync_api import Page, expect

from acciones.models import Action
from tests.acciones import cast as people
from tests.acciones.cast import Cast, talk

from .browsing import SIZES, Visit
from .test_in_browser import AXE, FAULTS

SHOTS = Path(configured.BASE_DIR) / "var/screenshots/admin"


@pytest.fixture
def town(transactional_db: None) -> Cast:
    """Return the cast with one offer that an edit would make undispatchable."""
    cast = people.assemble("https://shop.example")
    cast.offer(conversation=talk(cast.site, cast.customer))
    return cast


def draft(town: Cast) -> dict[str, str]:
    row = Action.objects.get(pk=town.refund.pk)
    fields: dict[str, str] = row.draft.get("fields", {})
    return fields


def editor(town: Cast, visit: Visit, **how: str) -> Page:
    address = reverse("admin:acciones_action_change", args=[town.refund.pk])
    return visit(town.owner, address, **how)


def said(page: Page) -> str:
    return page.locator("#autosave").inner_text()


def wait_for(page: Page, state: str) -> None:
    page.locator(f"#autosave[data-state={state}]").wait_for()


def look(page: Page, name: str) -> None:
    SHOTS.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=SHOTS / f"{name}.png")
    page.evaluate(AXE.read_text())
    assert page.evaluate(FAULTS) == [], name
    wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0, name


@pytest.mark.parametrize("size", list(SIZES))
def test_what_one_types_is_saved_and_published_after_a_review(
    town: Cast, visit: Visit, complaints: list[str], size: str
) -> None:
    page = editor(town, visit, size=size)
    page.fill("#id_description", "Cuando el cliente lo pide.")
    wait_for(page, "saved")
    assert "Borrador guardado" in said(page)
    assert draft(town)["description"] == "Cuando el cliente lo pide."
    page.get_by_role("button", name="Añadir fila").first.click()
    page.locator("[name=inputs-5-name]").fill("note")
    expect(page.locator("#shown-tool")).to_contain_text('"note"')
    look(page, f"draft-{size}-light")
    page.reload()
    assert page.input_value("#id_description") == "Cuando el cliente lo pide."
    assert page.input_value("[name=inputs-2-name]") == "note"
    page.get_by_role("button", name="Revisar y publicar").click()
    page.get_by_text("1 propuesta abierta ya no se enviará").wait_for()
    look(page, f"publish-{size}-light")
    page.get_by_role("button", name="Publicar la versión 2").click()
    page.get_by_text("Publicada la versión 2").wait_for()
    row = Action.objects.get(pk=town.refund.pk)
    assert (row.version, row.draft) == (2, {})
    assert [c for c in complaints if "Content Security" in c] == []


def test_a_cut_network_loses_nothing(town: Cast, visit: Visit) -> None:
    page = editor(town, visit)
    page.context.set_offline(True)
    page.fill("#id_title", "Sin red")
    wait_for(page, "lost")
    look(page, "draft-lost")
    assert draft(town) == {}
    page.fill("#id_title", "Sin red, y sigo")
    page.context.set_offline(False)
    wait_for(page, "saved")
    assert draft(town)["title"] == "Sin red, y sigo"
    # Closed while the network was away: the browser still has it
    page.context.set_offline(True)
    page.fill("#id_title", "Lo último")
    wait_for(page, "lost")
    address = page.url
    other = page.context.new_page()
    page.close()
    other.context.set_offline(False)
    other.goto(address)
    wait_for(other, "found")
    assert other.input_value("#id_title") == "Sin red, y sigo"
    other.get_by_role("button", name="Recuperarlos").click()
    wait_for(other, "saved")
    assert draft(town)["title"] == "Lo último"


def test_two_editors_see_each_other_instead_of_overwriting(
    town: Cast, visit: Visit
) -> None:
    mine, theirs = editor(town, visit), editor(town, visit)
    theirs.fill("#id_title", "De ella")
    wait_for(theirs, "saved")
    mine.fill("#id_title", "De él")
    wait_for(mine, "conflict")
    look(mine, "draft-conflict")
    assert draft(town)["title"] == "De ella"
    assert mine.input_value("#id_title") == "De él"
    mine.get_by_role("button", name="Guardar lo mío encima").click()
    wait_for(mine, "saved")
    assert draft(town)["title"] == "De él"
    theirs.fill("#id_title", "De ella otra vez")
    wait_for(theirs, "conflict")
    theirs.get_by_role("button", name="Descartar lo mío").click()
    expect(theirs.locator("#id_title")).to_have_value("De él")


def test_a_form_with_a_fault_comes_back_whole_and_is_saved(
    town: Cast, visit: Visit
) -> None:
    page = editor(town, visit)
    page.fill("#id_path", "nowhere")
    wait_for(page, "saved")
    assert "Por corregir antes de publicar" in said(page)
    page.get_by_role("button", name="Revisar y publicar").click()
    page.get_by_text("La ruta empieza por").first.wait_for()
    assert page.input_value("#id_path") == "nowhere"
    expect(page).to_have_url(page.url)
    assert Action.objects.get(pk=town.refund.pk).path != "nowhere"
