"""Deciding by Telegram: a tap decides once, on what was shown, and every chat hears."""

import pytest
from django.utils import timezone

from acciones.executors.answer import Outcome
from acciones.models import AuditEntry, Decision, Member, Run
from acciones.steps import claim, settle
from acciones.steps.cancel import cancel
from acciones.steps.confirm import confirm
from acciones.steps.expire import expire
from acciones.steps.reject import reject
from acciones.tokens import issue
from canales.models import Alert
from tests.acciones.cast import fresh, talk

from .conftest import OLGA, TOMAS, Wired, alert_of


@pytest.fixture
def wired(live: Wired) -> Wired:
    """Real HTTP both ways."""
    return live


def test_a_waiting_request_is_told_whole_with_two_buttons(wired: Wired) -> None:
    run = wired.waiting()
    message = wired.message()
    for part in (
        "Tienda: una solicitud espera tu decisión",
        "Reembolsar pedido",
        "order 4821",
        "79,00\xa0EUR",
        "Pedido: 4821",
        "Importe: 79.00",
        "Cliente verificado por tu sitio: Ana López (ana)",
        f"Resumen: {run.digest[:8]}",
        f"?q={run.pk}",
    ):
        assert part in message.text
    assert [button["text"] for button in message.buttons] == ["Aprobar", "Rechazar"]
    sent = wired.telegram.calls("sendMessage")[0]
    assert "parse_mode" not in sent
    assert sent["protect_content"] is True
    assert sent["link_preview_options"] == {"is_disabled": True}


def test_buttons_carry_nothing_but_random_keys(wired: Wired) -> None:
    run = wired.waiting()
    keys = [button["callback_data"] for button in wired.message().buttons]
    keys += [button["callback_data"] for button in wired.message(TOMAS).buttons]
    assert len(set(keys)) == 4
    for key in keys:
        assert 20 <= len(key) <= 64
        assert str(run.pk) not in key
        assert run.digest[:8] not in key


def test_a_tap_approves_once_and_every_chat_hears(wired: Wired) -> None:
    run = wired.waiting()
    assert wired.tap("Aprobar") == "Aprobada."
    assert fresh(run).state == "queued"
    decision = Decision.objects.get()
    assert (decision.verdict, decision.surface, decision.digest, decision.member) == (
        "approve",
        "telegram",
        run.digest,
        wired.cast.owner,
    )
    name = wired.cast.owner.user.get_username()
    # The chat that decided is edited at once, the others by the next sweep
    assert wired.message().buttons == []
    assert f"Aprobada por {name} desde Telegram" in wired.message().text
    assert wired.message(TOMAS).buttons != []
    wired.sweep()
    assert wired.message(TOMAS).buttons == []
    assert f"Aprobada por {name} desde Telegram" in wired.message(TOMAS).text
    assert len(wired.telegram.chat(OLGA)) == 1


def test_a_tap_rejects_and_nothing_is_sent(wired: Wired) -> None:
    run = wired.waiting()
    assert wired.tap("Rechazar") == "Rechazada: no se envió nada."
    assert fresh(run).state == "rejected"
    assert wired.message().buttons == []
    assert "No se envió nada." in wired.message().text
    assert Alert.objects.get(run=run, link=wired.olga).closed_at is not None


def test_the_decision_is_audited_with_the_account_that_tapped(wired: Wired) -> None:
    run = wired.waiting()
    wired.tap("Aprobar")
    entry = AuditEntry.objects.get(kind="decision")
    assert (entry.verb, entry.surface, entry.subject_id) == (
        "approve",
        "telegram",
        str(run.pk),
    )
    assert entry.address == f"telegram:{OLGA.id}"
    assert entry.who == wired.cast.owner.user.get_username()


def test_the_tap_is_answered_after_the_commit_and_before_the_edit(
    wired: Wired,
) -> None:
    wired.waiting()
    wired.tap("Aprobar")
    names = [name for name, _ in wired.telegram.state.calls]
    assert names.index("answerCallbackQuery") < names.index("editMessageText")


def test_decided_in_the_admin_takes_the_buttons_away(wired: Wired) -> None:
    run = wired.waiting()
    reject(
        run.pk,
        member=wired.cast.teammate,
        surface="admin",
        digest=run.digest,
        reason="x" * 5000,
    )
    wired.sweep()
    name = wired.cast.teammate.user.get_username()
    for account in (OLGA, TOMAS):
        message = wired.message(account)
        assert message.buttons == []
        assert f"Rechazada por {name} desde el admin" in message.text
        assert "Con motivo, en la web." in message.text
        assert "xxx" not in message.text


def test_a_late_tap_learns_who_was_faster(wired: Wired) -> None:
    run = wired.waiting()
    reject(run.pk, member=wired.cast.teammate, surface="admin", digest=run.digest)
    told = wired.tap("Aprobar")
    name = wired.cast.teammate.user.get_username()
    assert told is not None
    assert told.startswith(f"Rechazada por {name} desde el admin")
    assert fresh(run).state == "rejected"
    assert Decision.objects.count() == 1
    assert wired.message().buttons == []


def test_a_repeated_tap_changes_nothing_and_says_who_decided(wired: Wired) -> None:
    run = wired.waiting()
    approve_, reject_ = (wired.message().key(word) for word in ("Aprobar", "Rechazar"))
    wired.tap("Aprobar")
    name = wired.cast.owner.user.get_username()
    for key in (approve_, reject_):
        update = wired.telegram.press(OLGA, wired.message(), key=key)
        assert wired.telegram.post(update) == 200
        told = wired.telegram.answer_to(update)
        assert told is not None
        assert told.startswith(f"Aprobada por {name} desde Telegram")
    assert Decision.objects.count() == 1
    assert fresh(run).state == "queued"


def test_an_expired_tap_changes_nothing_and_says_so(wired: Wired) -> None:
    run = wired.waiting()
    Run.objects.filter(pk=run.pk).update(expires_at=timezone.now())
    assert wired.tap("Aprobar") == "Caducó sin decisión; no se envió nada."
    assert fresh(run).state == "expired"
    assert not Decision.objects.exists()
    assert wired.message().buttons == []


def test_a_quorum_is_told_step_by_step(wired: Wired) -> None:
    wired.cast.refund.quorum = 2
    wired.cast.refund.save()
    run = wired.waiting()
    assert wired.tap("Aprobar") == "Aprobada. Aprobaciones: 1 de 2."
    wired.sweep()
    assert wired.message(OLGA).buttons == []
    assert "Aprobaciones: 1 de 2." in wired.message(TOMAS).text
    assert wired.message(TOMAS).buttons != []
    assert fresh(run).state == "awaiting_owner"
    # The one who decided is told so, and stays out of it
    key = alert_of(run, wired.olga).reject_key
    update = wired.telegram.press(OLGA, wired.message(OLGA), key=str(key))
    wired.telegram.post(update)
    assert wired.telegram.answer_to(update) == "Ya decidiste sobre esta solicitud."
    assert wired.tap("Aprobar", TOMAS) == "Aprobada."
    assert fresh(run).state == "queued"


def test_an_expiry_without_anybody_takes_the_buttons_away(wired: Wired) -> None:
    run = wired.waiting()
    Run.objects.filter(pk=run.pk).update(expires_at=timezone.now())
    assert expire(run.pk)
    wired.sweep()
    assert wired.message().buttons == []
    assert "Caducó sin decisión" in wired.message().text


def test_the_outcome_is_told_in_the_same_message(wired: Wired) -> None:
    run = wired.waiting()
    wired.tap("Aprobar")
    row = claim.claim(run.pk)
    assert row is not None
    row = claim.begin(row)
    assert row is not None
    settle.answered(row, Outcome("done", message="", reference="rf_\u202e1"), {})
    wired.sweep()
    assert "Ahora: completado." in wired.message().text
    assert "Referencia: rf_⟨U+202E⟩1" in wired.message().text
    assert len(wired.telegram.chat(OLGA)) == 1
    assert alert_of(run, wired.olga).closed_at is not None


def test_two_runs_of_one_customer_go_each_its_way(wired: Wired) -> None:
    first = wired.waiting()
    second = wired.waiting(
        order="99", conversation=talk(wired.cast.site, wired.cast.customer)
    )
    messages = wired.telegram.chat(OLGA)
    for message, label in zip(messages, ("Aprobar", "Rechazar"), strict=True):
        wired.telegram.post(wired.telegram.press(OLGA, message, label))
    assert (fresh(first).state, fresh(second).state) == ("queued", "rejected")


def test_nobody_is_asked_about_what_they_want_for_themselves(wired: Wired) -> None:
    Member.objects.filter(pk=wired.cast.owner.pk).update(customer_id="ana")
    wired.waiting()
    assert wired.telegram.chat(OLGA) == []
    assert len(wired.telegram.chat(TOMAS)) == 1


def test_an_offer_that_nobody_confirmed_is_no_news(wired: Wired) -> None:
    run = wired.cast.offer()
    cancel(run.pk, wired.cast.customer)
    wired.sweep()
    assert wired.telegram.state.messages == {}


def test_three_rounds_of_revised_offers_are_one_notice(wired: Wired) -> None:
    for amount in ("79.00", "60.00", "40.00"):
        run = wired.cast.offer(amount=amount)
    confirm(run.pk, run.visitor, token=issue(run))
    wired.sweep()
    wired.sweep()
    (message,) = wired.telegram.chat(OLGA)
    assert "Importe: 40.00" in message.text
