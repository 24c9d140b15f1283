"""Folds events into the view that a customer's page shows: the twin of web's fold.

The browser's reducer returns new views; this one, which nobody watches while it works,
changes the view it was given, so that a long history costs no copies. The same
histories (JSON, among the tests) hold both to the same answers.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

View = dict[str, Any]
Envelope = Mapping[str, Any]


def empty() -> View:
    """Return the view of a conversation in which nothing happened."""
    return {
        "cursor": 0,
        "gap": None,
        "status": None,
        "last_operation": None,
        "messages": [],
        "turns": {},
        "tools": [],
        "surfaces": [],
        "proposals": {},
        "receipts": {},
        "choices": [],
    }


def fold_all(events: Iterable[Envelope], view: View | None = None) -> View:
    """Fold a whole history."""
    view = empty() if view is None else view
    for event in events:
        fold(view, event)
    return view


def fold(view: View, event: Envelope) -> None:
    """Fold one event; one that is known already adds nothing.

    An event that skips positions is not applied: ``gap`` says from where to ask again.
    """
    position = event["position"]
    if position <= view["cursor"]:
        return
    if event["type"] == "snapshot":
        view.update({**empty(), **event["payload"], "gap": view["gap"]})
    elif position == view["cursor"] + 1:
        apply(view, event)
    else:
        seen = max(position, view["gap"]["seen"] if view["gap"] else 0)
        view["gap"] = {"after": view["cursor"], "seen": seen}
        return
    view["cursor"] = position
    _heal(view)


def apply(view: View, event: Envelope) -> None:
    """Apply one event wherever it stands; types that say nothing here pass."""
    if event["type"] in APPLY:
        APPLY[event["type"]](view, event)


def _heal(view: View) -> None:
    gap = view["gap"]
    if gap is not None:
        is_closed = view["cursor"] >= gap["seen"]
        view["gap"] = None if is_closed else {**gap, "after": view["cursor"]}


def _message(view: View, event: Envelope) -> None:
    payload = event["payload"]
    is_agent = event["type"] == "message.completed"
    view["messages"].append(
        {
            "id": _text(payload, "message_id") or event["id"],
            "run_id": event["run_id"],
            "position": event["position"],
            "author": "agent" if is_agent else "customer",
            "text": _text(payload, "text") or "",
            "attempt": _number(payload, "attempt", 1) if is_agent else None,
            "sources": payload.get("sources") or [],
            "created": event.get("created"),
        }
    )


def _status(view: View, event: Envelope) -> None:
    receipt = view["receipts"].get(event["run_id"])
    if receipt is None:
        _turn_status(view, event)
    else:
        _run_status(receipt, event)


def _run_status(receipt: View, event: Envelope) -> None:
    """A change's fields stand until an event says otherwise: absent is not "none"."""
    payload = event["payload"]
    for name in ("status", "reason", "message", "reference", "effect"):
        found = _text(payload, name)
        receipt[name] = receipt[name] if found is None else found
    receipt["attempts"] = _number(payload, "attempt", receipt["attempts"])
    if isinstance(payload.get("certain"), bool):
        receipt["certain"] = payload["certain"]
    if payload.get("card") is not None:
        receipt["card"] = payload["card"]
    receipt["word"] = _text(payload, "word")
    receipt["position"] = event["position"]


def _turn_status(view: View, event: Envelope) -> None:
    payload = event["payload"]
    known = view["turns"].get(event["run_id"], {})
    view["status"] = _text(payload, "status") or "thinking"
    view["turns"][event["run_id"]] = {
        "position": event["position"],
        "status": view["status"],
        "agent": _text(payload, "agent") or known.get("agent"),
        "reason": _text(payload, "reason"),
    }


def _handoff(view: View, event: Envelope) -> None:
    turn = view["turns"].get(event["run_id"])
    to = _text(event["payload"], "to")
    if turn is not None and to:
        turn["agent"] = to


def _tool_started(view: View, event: Envelope) -> None:
    payload = event["payload"]
    view["tools"].append(
        {
            "call_id": _text(payload, "call_id") or event["id"],
            "run_id": event["run_id"],
            "position": event["position"],
            "name": _text(payload, "name") or "",
            "params": payload.get("params", {}),
            "operation_id": _text(payload, "operation_id"),
            "artifact_id": None,
            "ok": None,
        }
    )


def _tool_completed(view: View, event: Envelope) -> None:
    payload = event["payload"]
    for tool in view["tools"]:
        if tool["call_id"] == payload.get("call_id"):
            tool["artifact_id"] = _text(payload, "artifact_id")
            tool["ok"] = payload.get("ok") is not False
    view["last_operation"] = _text(payload, "operation_id") or view["last_operation"]


def _surface(view: View, event: Envelope) -> None:
    message = event["payload"].get("message")
    surface_id = _surface_of(message) if isinstance(message, dict) else None
    if surface_id is None:
        return
    known = next((s for s in view["surfaces"] if s["surface_id"] == surface_id), None)
    if known is None:
        known = {
            "surface_id": surface_id,
            "run_id": event["run_id"],
            "position": event["position"],
            "messages": [],
        }
        view["surfaces"].append(known)
    known["messages"].append({"position": event["position"], "message": message})


def _surface_of(message: dict[str, Any]) -> str | None:
    """Return the surface that an A2UI message speaks of."""
    for body in message.values():
        if isinstance(body, dict) and (found := _text(body, "surfaceId")):
            return found
    return None


def _proposal(view: View, event: Envelope) -> None:
    run_id, position = event["run_id"], event["position"]
    card = {**event["payload"], "run_id": run_id, "position": position}
    view["proposals"][run_id] = card
    view["receipts"][run_id] = {
        "position": position,
        "status": "requested",
        "attempts": 0,
        "word": None,
        "certain": None,
        "reason": None,
        "message": None,
        "reference": None,
        "card": None,
        "effect": None,
    }


def _choice(view: View, event: Envelope) -> None:
    payload = event["payload"]
    view["choices"].append(
        {
            "position": event["position"],
            "surface_id": _text(payload, "surface_id") or "",
            "component_id": _text(payload, "component_id") or "",
            "name": _text(payload, "name") or "",
            "context": payload.get("context", {}),
        }
    )


def _text(payload: Envelope, name: str) -> str | None:
    value = payload.get(name)
    return value if isinstance(value, str) else None


def _number(payload: Envelope, name: str, otherwise: int) -> int:
    value = payload.get(name)
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    return otherwise


APPLY: dict[str, Callable[[View, Envelope], None]] = {
    "message.received": _message,
    "message.completed": _message,
    "run.status": _status,
    "agent.handoff": _handoff,
    "tool.started": _tool_started,
    "tool.completed": _tool_completed,
    "surface.updated": _surface,
    "proposal.created": _proposal,
    "choice.recorded": _choice,
}
