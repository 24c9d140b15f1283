"""The life of one run as a list of facts, the oldest first."""

import json
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _

from acciones.models import Attempt, Callback, Decision, Event, Run
from maya.lib.shown import visible

from . import redact, wording

VERDICT_TONES = {
    Attempt.Verdict.DONE: "success",
    Attempt.Verdict.FAILED: "danger",
    Attempt.Verdict.REFUSED: "danger",
    Attempt.Verdict.UNCERTAIN: "warning",
}
OK = 200


@dataclass(frozen=True)
class Block:
    """A text that one can open: bytes sent, bytes received, an event's payload."""

    label: str
    text: str


@dataclass(frozen=True)
class Fact:
    """One thing that happened."""

    at: datetime
    title: str
    note: str = ""
    tone: str = "neutral"
    blocks: list[Block] = field(default_factory=list)


def timeline(run: Run) -> list[Fact]:
    """Return the run's facts in their order; four queries.

    Expects ``proposal``, ``action__connection`` and ``decisions`` to be loaded.
    """
    secrets = redact.secrets_of(run.action.connection)
    facts = [_event(event) for event in Event.objects.filter(run_id=run.pk)]
    facts += [_decision(decision) for decision in run.decisions.all()]
    for attempt in run.tries.all():
        facts += _attempt(run, attempt, secrets)
    callbacks = Callback.objects.filter(run_id=str(run.pk))
    facts += [_callback(callback, secrets) for callback in callbacks]
    return sorted(facts, key=lambda fact: fact.at)


def _event(event: Event) -> Fact:
    payload = json.dumps(event.payload, ensure_ascii=False, indent=2)
    shown = "\n".join(visible(line) for line in payload.split("\n"))
    return Fact(
        at=event.created,
        title=_event_title(event),
        note=_event_note(event.payload),
        blocks=[Block(f"{event.type} · {event.run_id}:{event.seq}", shown)],
    )


def _event_title(event: Event) -> str:
    if event.type == "proposal.created":
        return _("Se ofreció el cambio al cliente")
    status = event.payload.get("status")
    if status == Run.State.QUEUED:
        return _("En cola para enviarse")
    if status == Run.State.RUNNING:
        return (
            _("Guardado, a punto de salir")
            if "attempt" in event.payload
            else (_("Se comprueba todo otra vez"))
        )
    if status in wording.STATES:
        return _("Pasó a: %(state)s") % {"state": wording.STATES[status]}
    return event.type


def _event_note(payload: dict[str, Any]) -> str:
    parts = [payload.get("message"), payload.get("reference"), payload.get("reason")]
    return " · ".join(visible(str(part)) for part in parts if part)


def _decision(decision: Decision) -> Fact:
    approved = decision.verdict == Decision.Verdict.APPROVE
    words = {
        "who": visible(decision.member_name),
        "where": wording.surface(decision.surface),
        "digest": decision.digest[:8],
    }
    title = (
        _("La aprobó %(who)s desde %(where)s")
        if approved
        else _("La rechazó %(who)s desde %(where)s")
    )
    note = _("con el resumen %(digest)s a la vista") % words
    reason = redact.text(decision.reason, ())
    return Fact(
        at=decision.created,
        title=title % words,
        note=f"{note} · {reason}" if reason else note,
        tone="success" if approved else "danger",
    )


def _attempt(run: Run, attempt: Attempt, secrets: list[str]) -> list[Fact]:
    """Return the departure of an attempt and, once it has one, its end."""
    sent = [
        Block(_("Cabeceras enviadas"), redact.headers(attempt.sent_headers)),
        Block(_("Cuerpo enviado"), wording.raw(run.proposal.body)),
    ]
    number = {"n": attempt.number}
    facts = [Fact(attempt.started, _("Intento %(n)d: enviado") % number, blocks=sent)]
    if attempt.finished is not None:
        facts.append(_answer(attempt, attempt.finished, secrets))
    return facts


def _answer(attempt: Attempt, finished: datetime, secrets: list[str]) -> Fact:
    label = _("Respuesta recibida")
    if attempt.status_code:
        label = f"{label} · HTTP {attempt.status_code}"
    received = redact.text(attempt.answer, secrets)
    return Fact(
        at=finished,
        title=_("Intento %(n)d: %(verdict)s")
        % {"n": attempt.number, "verdict": wording.verdict(attempt.verdict)},
        note=redact.text(attempt.detail, secrets),
        tone=VERDICT_TONES.get(attempt.verdict, "neutral"),  # type: ignore[call-overload]
        blocks=[Block(label, received or _("(sin cuerpo)"))],
    )


def _callback(callback: Callback, secrets: list[str]) -> Fact:
    body = bytes(callback.body).decode("utf-8", "backslashreplace")
    signature = visible(callback.signature[: redact.SIGNATURE_SHOWN])
    signed = (
        f"x-maf-timestamp: {visible(callback.timestamp)}\n"
        f"x-maf-signature: {signature}{redact.HIDDEN}"
    )
    accepted = callback.status == OK
    return Fact(
        at=callback.created,
        title=_("Callback aceptado") if accepted else _("Callback rechazado"),
        note=f"HTTP {callback.status} · {callback.code}",
        tone="success" if accepted else "danger",
        blocks=[
            Block(_("Cabeceras recibidas"), signed),
            Block(_("Cuerpo recibido"), redact.text(body, secrets)),
        ],
    )
