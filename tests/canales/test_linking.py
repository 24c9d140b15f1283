"""Linking a chat: a token or a code from a private chat, then a yes in the web."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db.models.functions import Now
from django.urls import reverse

from acciones.models import AuditEntry, Member
from canales.models import Alert, TelegramInvite, TelegramLink
from canales.telegram import bot
from tests.acciones.cast import fresh
from tests.fakes.telegram import Account, FakeTelegram

from .ceremony import PAGE, As, answer, invitation, say
from .conftest import OLGA, STRANGER, Wired

MALLORY = Account(6661, "Olga\u202egla", "olga_", "en")


def test_a_start_token_and_a_yes_link_a_chat(unlinked: Wired, entered: As) -> None:
    owner = unlinked.cast.owner
    client = entered(owner)
    token, _ = invitation(client, owner)
    assert len(token) <= 64
    assert "confirma que esta cuenta es tuya" in say(unlinked, OLGA, f"/start {token}")
    assert not TelegramLink.objects.exists()
    page = client.get(reverse(PAGE)).content.decode()
    for shown in ("Olga", "@olga", f"<code>{OLGA.id}</code>"):
        assert shown in page
    answer(client, OLGA)
    link = TelegramLink.objects.get()
    assert (link.member, link.user_id, link.chat_id) == (owner, OLGA.id, OLGA.id)
    unlinked.sweep()
    assert "aquí recibirás lo que espere tu decisión" in unlinked.message().text
    entry = AuditEntry.objects.get(verb="telegram.link")
    assert entry.user_id == owner.user_id
    assert entry.after == {"telegram_id": OLGA.id, "name": "Olga", "username": "olga"}
    assert Alert.objects.get().kind == "welcome"


@pytest.mark.parametrize("spelling", [str, str.lower, lambda c: c.replace("-", " ")])
def test_a_typed_code_links_who_has_the_chat_already(
    unlinked: Wired, entered: As, spelling: Callable[[str], str]
) -> None:
    client = entered(unlinked.cast.owner)
    _, code = invitation(client, unlinked.cast.owner)
    assert "confirma que esta cuenta" in say(unlinked, OLGA, spelling(code))
    answer(client, OLGA)
    assert TelegramLink.objects.get().user_id == OLGA.id


def test_only_hashes_are_stored(unlinked: Wired, entered: As) -> None:
    token, code = invitation(entered(unlinked.cast.owner), unlinked.cast.owner)
    stored = str(list(TelegramInvite.objects.values()))
    stored += str(list(AuditEntry.objects.values()))
    for secret in (token, code, code.replace("-", "")):
        assert secret not in stored


def test_a_stranger_who_found_the_link_is_shown_and_turned_away(
    unlinked: Wired, entered: As
) -> None:
    client = entered(unlinked.cast.owner)
    token, _ = invitation(client, unlinked.cast.owner)
    say(unlinked, MALLORY, f"/start {token}")
    page = client.get(reverse(PAGE)).content.decode()
    assert "Olga⟨U+202E⟩gla" in page
    assert str(MALLORY.id) in page
    answer(client, MALLORY, "no")
    assert not TelegramLink.objects.exists()
    entry = AuditEntry.objects.get(verb="telegram.refuse")
    assert entry.after is not None
    assert entry.after["telegram_id"] == MALLORY.id
    # Said no, the invitation is spent: it cannot be answered again
    answer(client, MALLORY)
    assert not TelegramLink.objects.exists()


def test_a_yes_counts_for_the_account_that_was_shown_only(
    unlinked: Wired, entered: As
) -> None:
    client = entered(unlinked.cast.owner)
    token, _ = invitation(client, unlinked.cast.owner)
    say(unlinked, STRANGER, f"/start {token}")
    answer(client, OLGA)
    assert not TelegramLink.objects.exists()


def test_a_token_is_taken_once(unlinked: Wired, entered: As) -> None:
    client = entered(unlinked.cast.owner)
    token, code = invitation(client, unlinked.cast.owner)
    say(unlinked, OLGA, f"/start {token}")
    for late in (f"/start {token}", code):
        assert "ya se usó" in say(unlinked, STRANGER, late)
    answer(client, OLGA)
    assert TelegramLink.objects.get().user_id == OLGA.id


def test_an_invitation_lives_ten_minutes(unlinked: Wired, entered: As) -> None:
    client = entered(unlinked.cast.owner)
    token, code = invitation(client, unlinked.cast.owner)
    left = TelegramInvite.objects.filter(
        expires_at__range=(Now() + timedelta(minutes=9), Now() + timedelta(minutes=10))
    )
    assert left.count() == 1
    TelegramInvite.objects.update(expires_at=Now())
    for late in (f"/start {token}", code):
        assert "caducó" in say(unlinked, OLGA, late)
    TelegramInvite.objects.update(
        claimed_at=Now(), user_id=OLGA.id, chat_id=OLGA.id, expires_at=Now()
    )
    answer(client, OLGA)
    assert not TelegramLink.objects.exists()
    unlinked.sweep()
    assert not TelegramInvite.objects.exists()


def test_a_new_invitation_ends_the_one_before(unlinked: Wired, entered: As) -> None:
    client = entered(unlinked.cast.owner)
    old, _ = invitation(client, unlinked.cast.owner)
    new, _ = invitation(client, unlinked.cast.owner)
    assert "caducó" in say(unlinked, OLGA, f"/start {old}")
    assert "Casi está" in say(unlinked, OLGA, f"/start {new}")


def test_a_group_cannot_be_linked(unlinked: Wired, entered: As) -> None:
    client = entered(unlinked.cast.owner)
    token, code = invitation(client, unlinked.cast.owner)
    group = {"id": -100500, "type": "group", "title": "Equipo"}
    assert "chat privado" in say(unlinked, OLGA, f"/start {token}", chat=group)
    assert "chat privado" in say(unlinked, OLGA, f"/start@bot {token}", chat=group)
    before = len(unlinked.telegram.chat(-100500))
    say(unlinked, OLGA, code, chat=group)
    assert len(unlinked.telegram.chat(-100500)) == before
    assert TelegramInvite.objects.get().claimed_at is None


def test_codes_cannot_be_guessed_for_long(unlinked: Wired, entered: As) -> None:
    client = entered(unlinked.cast.owner)
    _, code = invitation(client, unlinked.cast.owner)
    for number in range(5):
        assert "no existe" in say(unlinked, STRANGER, f"AAAA-AAA{'BCDEF'[number]}")
    assert "Demasiados" in say(unlinked, STRANGER, code)
    assert TelegramInvite.objects.get().claimed_at is None
    # … which keeps nobody else from typing it
    assert "Casi está" in say(unlinked, OLGA, code)


@pytest.mark.parametrize("token", ["x" * 65, "a b", "eyJhbGciOi.J9.x", "ñ"])
def test_a_start_that_is_no_token_takes_nothing(unlinked: Wired, token: str) -> None:
    assert "no existe" in say(unlinked, OLGA, f"/start {token}")


def test_one_person_is_not_two_members(unlinked: Wired, entered: As) -> None:
    for member in (unlinked.cast.owner, unlinked.cast.teammate):
        client = entered(member)
        token, _ = invitation(client, member)
        say(unlinked, OLGA, f"/start {token}")
        page = answer(client, OLGA).content.decode()
    assert "ya decide por otro miembro" in page
    assert TelegramLink.objects.get().member == unlinked.cast.owner


def test_another_chat_replaces_the_one_before(wired: Wired, entered: As) -> None:
    run = wired.waiting()
    old = wired.message(OLGA)
    phone = Account(1009, "Olga", "olga")
    client = entered(wired.cast.owner)
    token, _ = invitation(client, wired.cast.owner)
    say(wired, phone, f"/start {token}")
    answer(client, phone)
    wired.olga.refresh_from_db()
    assert wired.olga.ended_why == "replaced"
    wired.sweep()
    assert old.buttons == []
    assert "ya no está vinculado" in old.text
    assert wired.tap("Aprobar", phone) == "Aprobada."
    assert fresh(run).state == "queued"


@pytest.mark.parametrize("word", ["/desvincular", "/unlink", "/Desvincular@bot"])
def test_unlinking_in_the_chat(wired: Wired, word: str) -> None:
    wired.waiting()
    assert "Desvinculado de 1 sitio" in say(wired, OLGA, word)
    assert "no está vinculado" in say(wired, OLGA, word)
    wired.sweep()
    assert wired.telegram.chat(OLGA)[0].buttons == []
    entry = AuditEntry.objects.get(verb="telegram.unlink")
    assert (entry.surface, entry.address) == ("telegram", f"telegram:{OLGA.id}")


def test_a_stranger_unlinks_nobody(wired: Wired) -> None:
    say(wired, STRANGER, "/desvincular")
    wired.olga.refresh_from_db()
    assert wired.olga.is_live


def test_links_of_two_sites_live_in_one_chat(
    unlinked: Wired, entered: As, telegram: FakeTelegram
) -> None:
    owner = unlinked.cast.owner
    elsewhere = Member.objects.create(
        site=unlinked.cast.outsider.site, user=owner.user, role="owner"
    )
    client = entered(owner)
    for member in (owner, elsewhere):
        token, _ = invitation(client, member)
        say(unlinked, OLGA, f"/start {token}")
        answer(client, OLGA)
    assert TelegramLink.objects.filter(ended_at=None).count() == 2
    assert bot.usable() is not None
    assert "Desvinculado de 2 sitios" in say(unlinked, OLGA, "/desvincular")
