"""What must not decide: forged, foreign, misplaced, late or merely written."""

from typing import Any

import pytest
from django.contrib.auth.models import User

from acciones.models import AuditEntry, Decision, Member, Run
from acciones.steps.reject import reject
from canales.linking.unlink import unlink
from tests.acciones.cast import fresh

from .conftest import OLGA, STRANGER, TOMAS, Wired, alert_of


@pytest.fixture
def wired(live: Wired) -> Wired:
    """Real HTTP both ways."""
    return live


GROUP = {"id": -100500, "type": "group", "title": "Equipo"}


def nothing_happened(run: Run) -> None:
    assert fresh(run).state == "awaiting_owner"
    assert not Decision.objects.exists()


def refused(wired: Wired, update: dict[str, Any], why: str) -> str | None:
    """Post a tap, and demand an answer for it and a trace of it."""
    assert wired.telegram.post(update) == 200
    entry = AuditEntry.objects.latest("pk")
    assert (entry.kind, entry.verb) == ("access", "telegram.refused")
    assert entry.after is not None
    assert entry.after["why"] == why
    told = wired.telegram.answer_to(update)
    assert told
    return told


def test_another_persons_tap_is_answered_and_refused(wired: Wired) -> None:
    run = wired.waiting()
    # The same name and username, in a chat that claims to be the owner's
    update = wired.telegram.press(
        STRANGER, wired.message(), "Aprobar", chat=OLGA.chat()
    )
    assert refused(wired, update, "other_person") == "No puedes decidir sobre esto."
    nothing_happened(run)
    assert wired.message().buttons != []


def test_a_colleagues_button_is_not_ones_own(wired: Wired) -> None:
    run = wired.waiting()
    update = wired.telegram.press(TOMAS, wired.message(OLGA), "Aprobar")
    refused(wired, update, "other_person")
    nothing_happened(run)


def test_a_tap_in_a_group_is_refused(wired: Wired) -> None:
    run = wired.waiting()
    update = wired.telegram.press(OLGA, wired.message(), "Aprobar", chat=GROUP)
    refused(wired, update, "other_chat")
    nothing_happened(run)


def test_a_group_with_the_chats_number_is_still_no_private_chat(wired: Wired) -> None:
    run = wired.waiting()
    chat = {"id": OLGA.id, "type": "supergroup"}
    update = wired.telegram.press(OLGA, wired.message(), "Aprobar", chat=chat)
    refused(wired, update, "other_chat")
    nothing_happened(run)


def test_a_button_on_another_message_is_refused(wired: Wired) -> None:
    run = wired.waiting()
    key = wired.message().key("Aprobar")
    other = wired.telegram.chat(OLGA)[0]
    other.id += 1
    update = wired.telegram.press(OLGA, other, key=key)
    refused(wired, update, "other_message")
    nothing_happened(run)


@pytest.mark.parametrize("key", ["x", "aprobar", "a" * 64, "\u202e", "4821"])
def test_an_invented_button_is_refused(wired: Wired, key: str) -> None:
    run = wired.waiting()
    update = wired.telegram.press(OLGA, wired.message(), key=key)
    told = refused(wired, update, "unknown_button")
    assert told == "Este botón ya no vale."
    nothing_happened(run)


def test_the_runs_own_id_is_no_button(wired: Wired) -> None:
    run = wired.waiting()
    for key in (str(run.pk), run.digest):
        update = wired.telegram.press(OLGA, wired.message(), key=key)
        refused(wired, update, "unknown_button")
    nothing_happened(run)


def test_a_removed_member_decides_nothing(wired: Wired) -> None:
    run = wired.waiting()
    Member.objects.filter(pk=wired.cast.owner.pk).delete()
    update = wired.telegram.press(OLGA, wired.message(), "Aprobar")
    refused(wired, update, "unlinked")
    nothing_happened(run)
    wired.sweep()
    assert wired.message().buttons == []
    # … and keeps nothing of the customer's in the chat
    assert "Ana" not in wired.message().text
    assert "4821" not in wired.message().text


def test_a_member_turned_viewer_decides_nothing(wired: Wired) -> None:
    run = wired.waiting()
    Member.objects.filter(pk=wired.cast.owner.pk).update(role="viewer")
    update = wired.telegram.press(OLGA, wired.message(), "Aprobar")
    assert refused(wired, update, "forbidden") == "No tienes permiso para hacer esto."
    nothing_happened(run)
    wired.sweep()
    assert wired.message().buttons == []
    edits = len(wired.telegram.calls("editMessageText"))
    wired.sweep()
    assert len(wired.telegram.calls("editMessageText")) == edits


def test_a_closed_account_decides_nothing(wired: Wired) -> None:
    run = wired.waiting()
    User.objects.filter(pk=wired.cast.owner.user_id).update(is_active=False)
    update = wired.telegram.press(OLGA, wired.message(), "Aprobar")
    refused(wired, update, "not_found")
    nothing_happened(run)


def test_nobody_approves_what_they_asked_for_themselves(wired: Wired) -> None:
    run = wired.waiting()
    Member.objects.filter(pk=wired.cast.owner.pk).update(customer_id="ana")
    update = wired.telegram.press(OLGA, wired.message(), "Aprobar")
    told = refused(wired, update, "forbidden")
    assert told == "Nadie aprueba lo que pidió como cliente."
    nothing_happened(run)


def test_an_unlinked_chat_decides_nothing(wired: Wired) -> None:
    run = wired.waiting()
    unlink(wired.olga, surface="admin", user=wired.cast.owner.user)
    update = wired.telegram.press(OLGA, wired.message(), "Aprobar")
    assert wired.telegram.post(update) == 200
    told = wired.telegram.answer_to(update)
    assert told == "Este chat ya no está vinculado. Decide en la web."
    nothing_happened(run)
    assert wired.message().buttons == []


@pytest.mark.parametrize("text", ["sí", "Aprobar", "/aprobar", "apruebo 4821", "👍"])
def test_no_written_word_decides(wired: Wired, text: str) -> None:
    run = wired.waiting()
    assert wired.telegram.post(wired.telegram.say(OLGA, text)) == 200
    nothing_happened(run)
    assert "usa los botones" in wired.message().text


def test_a_reason_of_5000_characters_is_never_cut_into_an_approval(
    wired: Wired,
) -> None:
    run = wired.waiting()
    # A client splits it into two messages; a forger would not
    for text in ("y" * 4096, "y" * 904, "y" * 5000):
        assert wired.telegram.post(wired.telegram.say(OLGA, text)) == 200
        assert "decide en la web" in wired.message().text
        nothing_happened(run)


def test_5000_characters_of_input_are_decided_on_the_web(wired: Wired) -> None:
    wired.cast.refund.inputs[0] |= {"max_length": 6000, "pattern": "[A-Z0-9]*"}
    wired.cast.refund.target_input = ""
    wired.cast.refund.save()
    run = wired.waiting(order="A" * 5000)
    message = wired.message()
    assert message.buttons == []
    assert "los datos no caben enteros en un mensaje. Decide en la web." in message.text
    assert "AAAA" not in message.text
    assert f"?q={run.pk}" in message.text
    # There are no keys that anybody could send for what was not shown
    alert = alert_of(run, wired.olga)
    assert (alert.approve_key, alert.reject_key) == (None, None)
    reject(run.pk, member=wired.cast.teammate, surface="admin", digest=run.digest)
    wired.sweep()
    assert "Rechazada por" in wired.message().text


@pytest.mark.parametrize("hidden", ["\u202e", "\U000e0100", "\u3164", "\u200b"])
def test_hidden_characters_are_shown_as_what_they_are(
    wired: Wired, hidden: str
) -> None:
    wired.cast.refund.inputs[0] |= {"pattern": None}
    wired.cast.refund.title = f"Reembolsar{hidden}pedido"
    wired.cast.refund.save()
    customer = wired.cast.customer.customer
    assert customer is not None
    customer.name = f"Ana{hidden}López"
    customer.save()
    wired.cast.site.name = f"Tien{hidden}da"
    wired.cast.site.save()
    wired.waiting(order=f"48{hidden}21")
    text = wired.message().text
    shown = f"⟨U+{ord(hidden):04X}⟩"
    assert hidden not in text
    for whole in ("Reembolsar{}pedido", "Ana{}López", "Tien{}da", "48{}21"):
        assert whole.format(shown) in text


def test_a_late_answer_undoes_nothing(wired: Wired) -> None:
    run = wired.waiting()
    update = wired.telegram.press(OLGA, wired.message(), "Aprobar")
    wired.telegram.forget_query(update)
    assert wired.telegram.post(update) == 200
    assert wired.telegram.answer_to(update) is None
    assert fresh(run).state == "queued"
    assert wired.message().buttons == []


@pytest.mark.parametrize("kind", [500, 429, "drop", "hang"])
def test_an_answer_that_fails_undoes_nothing(wired: Wired, kind: int | str) -> None:
    run = wired.waiting()
    wired.telegram.behave(kind, method="answerCallbackQuery", times=1)
    update = wired.telegram.press(OLGA, wired.message(), "Aprobar")
    assert wired.telegram.post(update) == 200
    assert fresh(run).state == "queued"
    assert wired.message().buttons == []
