"""How a change ended, told once by the application, in words that are true."""

import threading
from datetime import timedelta
from typing import Any

import pytest
from django.db import connections
from django.utils import timezone

from acciones.models import Run
from agente import tasks
from agente.models import Message, Outcome, Turn
from agente.outcomes import sentence, tell
from agente.turns import start_message
from tests.agente.talk import Talk


def ended(ana: Talk, state: str, **more: Any) -> Run:
    """Return Ana's refund as if it had ended so, by the row."""
    ana.type("Quiero el reembolso del pedido 4821, está sin abrir")
    now = timezone.now()
    changed = {"state": state, "finished_at": now, "confirmed_at": now, **more}
    Run.objects.filter(pk=ana.run().pk).update(**changed)
    return ana.run()


@pytest.mark.parametrize(
    ("state", "more", "said"),
    [
        ("done", {}, "Hecho: Reembolsar pedido (4821, 79,00 EUR)."),
        ("done", {"message": "Listo", "reference": "R-1"}, "Ladera: “Listo” Referenc"),
        ("rejected", {}, "Ladera no aprobó esta solicitud"),
        ("expired", {}, "Se acabó el plazo sin que Ladera decidiera"),
        ("failed", {"certain": True, "message": "No"}, "No se pudo hacer"),
        ("failed", {"certain": True, "reason": "stale"}, "algo cambió"),
        ("failed", {"certain": False}, "No pudimos confirmar qué pasó"),
        ("failed", {"certain": False, "reason": "exhausted"}, "No lo repitas"),
    ],
)
def test_each_end_has_its_sentence(
    ana: Talk, state: str, more: dict[str, Any], said: str
) -> None:
    ended(ana, state, **more)
    assert said in ana.hear()[-1]
    assert ana.events("run.status")[-1] == {"status": "done"}
    assert Turn.objects.latest("created").kind == Turn.Kind.OUTCOME


def test_an_uncertain_end_never_sounds_certain(ana: Talk) -> None:
    text = sentence(ended(ana, "failed", certain=False))
    assert "Hecho" not in text
    assert "No se hizo" not in text
    assert "no se pudo" not in text.lower()


def test_what_the_card_says_already_is_not_repeated(ana: Talk) -> None:
    ended(ana, "cancelled")
    assert ana.hear() == []
    assert Outcome.objects.get().told is not None


def test_an_offer_that_nobody_took_expires_in_silence(ana: Talk) -> None:
    ended(ana, "expired", confirmed_at=None)
    assert ana.hear() == []


def test_it_is_told_once_though_two_sweeps_find_it(ana: Talk) -> None:
    run = ended(ana, "done")

    def work() -> None:
        try:
            tell(run.pk)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert Message.objects.filter(author="application").count() == 1


def test_hidden_letters_of_the_owners_system_are_shown(ana: Talk) -> None:
    ended(ana, "done", message="pagado\u202eon", reference="R\u3164")
    told = ana.hear()[-1]
    assert "⟨U+202E⟩" in told
    assert "⟨U+3164⟩" in told


def test_the_agent_reads_what_became_of_its_proposal(ana: Talk) -> None:
    ended(ana, "done")
    ana.hear()
    said = ana.type("sí")
    assert "pulsa «Confirmar»" not in said


def test_the_sweep_answers_what_a_lost_wake_up_missed(
    ana: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    started = start_message(
        visitor=ana.visitor, conversation_id=None, message_id="lost", text="hola"
    )
    sent: list[str] = []
    monkeypatch.setattr(
        tasks.run_turn, "apply_async", lambda args, **_: sent.extend(args)
    )
    tasks.sweep()
    assert sent == [], "a wake-up may still be on its way"
    Turn.objects.update(due_at=timezone.now() - timedelta(seconds=3))
    tasks.sweep()
    assert sent == [str(started.turn_id)]
    tasks.run_turn(sent[0])
    assert "¡Hola!" in ana.said(started.turn_id)
    tasks.sweep()
    assert len(sent) == 1
