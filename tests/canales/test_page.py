"""The «Telegram» page: one's own chats, by POST, and no link that decides."""

import re
from typing import Any

import httpx
from django.test import Client
from django.urls import reverse

from acciones.models import AuditEntry, Run
from canales.models import TelegramInvite, TelegramLink
from tests.acciones.cast import Cast, fresh

from .ceremony import PAGE, As, answer, invitation, say
from .conftest import OLGA, TOMAS, Wired


def test_nobody_links_for_somebody_else(unlinked: Wired, entered: As) -> None:
    cast = unlinked.cast
    address = reverse("admin:telegram_invite", args=[cast.owner.pk])
    assert entered(cast.teammate).post(address).status_code == 404
    assert entered(cast.outsider).post(address).status_code == 404
    own = reverse("admin:telegram_invite", args=[cast.viewer.pk])
    assert entered(cast.viewer).post(own).status_code == 403
    token, _ = invitation(entered(cast.owner), cast.owner)
    say(unlinked, OLGA, f"/start {token}")
    assert answer(entered(cast.teammate), OLGA).status_code == 404
    assert not TelegramLink.objects.exists()


def test_looking_changes_nothing(wired: Wired, entered: As) -> None:
    client = entered(wired.cast.owner)
    before = TelegramLink.objects.filter(ended_at=None).count()
    for name, pk in (
        ("invite", wired.cast.owner.pk),
        ("answer", 1),
        ("quiet", wired.olga.pk),
        ("unlink", wired.olga.pk),
    ):
        address = reverse(f"admin:telegram_{name}", args=[pk])
        assert client.get(address).status_code == 404
        assert client.head(address).status_code == 404
    assert TelegramLink.objects.filter(ended_at=None).count() == before
    assert not TelegramInvite.objects.exists()


def test_the_pages_buttons_demand_their_own_forms_token(wired: Wired) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(wired.cast.owner.user)
    address = reverse("admin:telegram_unlink", args=[wired.olga.pk])
    assert client.post(address).status_code == 403
    wired.olga.refresh_from_db()
    assert wired.olga.is_live


def test_unlinking_in_the_web_takes_the_buttons_away(wired: Wired, entered: As) -> None:
    run = wired.waiting()
    entered(wired.cast.owner).post(
        reverse("admin:telegram_unlink", args=[wired.olga.pk])
    )
    wired.sweep()
    assert wired.message().buttons == []
    assert "4821" not in wired.message().text
    assert fresh(run).state == "awaiting_owner"
    entry = AuditEntry.objects.get(verb="telegram.unlink")
    assert (entry.surface, entry.after) == ("admin", {"ended": "unlinked"})


def test_owners_unlink_others_and_others_do_not(wired: Wired, entered: As) -> None:
    theirs = reverse("admin:telegram_unlink", args=[wired.olga.pk])
    assert entered(wired.cast.teammate).post(theirs).status_code == 403
    assert entered(wired.cast.outsider).post(theirs).status_code == 404
    page = entered(wired.cast.owner).get(reverse(PAGE)).content.decode()
    assert f"({TOMAS.id})" in page
    address = reverse("admin:telegram_unlink", args=[wired.tomas.pk])
    entered(wired.cast.owner).post(address)
    wired.tomas.refresh_from_db()
    assert not wired.tomas.is_live


def test_the_page_without_a_bot_says_so(
    house: Cast, entered: As, settings: Any
) -> None:
    settings.MAYA_TELEGRAM_TOKEN = ""
    page = entered(house.owner).get(reverse(PAGE)).content.decode()
    assert "no tiene un bot de Telegram que funcione" in page
    address = reverse("admin:telegram_invite", args=[house.owner.pk])
    told = entered(house.owner).post(address, follow=True).content.decode()
    assert "Esta instalación no tiene bot." in told


def test_the_page_survives_a_telegram_that_is_away(
    unlinked: Wired, entered: As
) -> None:
    unlinked.telegram.behave(500, method="getMe")
    address = reverse("admin:telegram_invite", args=[unlinked.cast.owner.pk])
    client = entered(unlinked.cast.owner)
    told = client.post(address, follow=True).content.decode()
    assert "Telegram no responde ahora." in told
    assert not TelegramInvite.objects.exists()


def test_the_menu_leads_to_the_page(wired: Wired, entered: As) -> None:
    for member in (wired.cast.owner, wired.cast.teammate):
        home = entered(member).get(reverse("admin:index")).content.decode()
        assert reverse(PAGE) in home
    assert Client().get(reverse(PAGE)).status_code == 302


def test_no_link_in_a_message_decides(live: Wired, entered: As) -> None:
    """Preview crawlers follow every address; so may the owner's own browser."""
    run = live.waiting()
    addresses = re.findall(r"https?://\S+", live.message().text)
    assert addresses
    for address in addresses:
        for method in ("GET", "HEAD"):
            httpx.request(method, address, follow_redirects=True)
        page = entered(live.cast.owner).get(httpx.URL(address).raw_path.decode())
        assert page.status_code == 200
    assert fresh(run).state == "awaiting_owner"
    assert Run.objects.get(pk=run.pk).approvals == 0
