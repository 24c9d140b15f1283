"""Network models over their real wire formats: the refund story, and what breaks it."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from acciones.models import Site
from agente.loop.run import run_turn
from agente.models import Language, ToolCall, Turn
from tests.agente.conftest import Shop
from tests.agente.talk import Talk
from tests.agente.waiting import ask, attempts
from tests.agente.wire import messages
from tests.agente.wire.scripted import over_chat_completions, over_messages
from tests.agente.wire.server import Answer, Server, serving

GOOD = messages.text("Hay ", "30 días.")
Choose = Callable[[dict[str, Any]], Answer | None]


@pytest.fixture
def server(settings: Any) -> Iterator[Server]:
    """Run a model server that our addresses may reach."""
    with serving(Server([GOOD])) as server:
        settings.MAYA_DEV_ENDPOINTS = [*settings.MAYA_DEV_ENDPOINTS, server.url]
        yield server


def speak_through(site: Site, provider: str, url: str) -> None:
    """Let a site speak through a server."""
    language = Language(site=site, provider=provider, base_url=url, name="wire")
    language.key = "sk-secret"
    language.save()


@pytest.mark.parametrize(
    ("provider", "path", "choose"),
    [("openai", "/v1", over_chat_completions), ("anthropic", "", over_messages)],
)
def test_the_refund_story_plays_through(
    ana: Talk,
    shop: Shop,
    tienda: Site,
    server: Server,
    provider: str,
    path: str,
    choose: Choose,
) -> None:
    server.choose = choose
    speak_through(tienda, provider, server.url + path)
    said = ana.type("Revisa el pedido 4821 y prepara un reembolso")
    assert "¿el paquete sigue sin abrir?" in said
    assert ana.events("agent.handoff")[0]["to"] == "refund_specialist"
    ana.type("sí, está sin abrir")
    run = ana.run()
    assert run.proposal.amount_minor == 7900
    assert {item.kind for item in run.proposal.evidence.all()} == {
        "lookup",
        "policy",
        "statement",
    }
    assert "/agent/refund-order" not in shop.paths()
    assert "pulsa «Confirmar»" in ana.type("sí")


@pytest.fixture
def claude(plain_site: Site, server: Server) -> Server:
    """Let the plain site speak through an Anthropic-format server."""
    speak_through(plain_site, "anthropic", server.url)
    return server


@pytest.mark.parametrize("name", messages.BROKEN)
def test_nothing_runs_on_half_a_call(talk: Talk, claude: Server, name: str) -> None:
    claude.answers[:] = [messages.BROKEN[name], GOOD]
    turn = ask(talk)
    run_turn(turn.pk)
    assert not ToolCall.objects.exists()
    assert [row[:2] for row in attempts(turn)] == [(1, "broken"), (2, "accepted")]
    assert talk.said(turn.pk) == "Hay 30 días."
    assert len(claude.requests) == 2
    assert talk.turn.state == Turn.State.DONE


def test_a_whole_call_runs(talk: Talk, claude: Server) -> None:
    claude.answers[:] = [
        Answer(
            [
                messages.START,
                *messages.words(0, "Lo miro. "),
                *messages.used(1, "search_policy", messages.WHOLE),
                messages.ended("tool_use"),
                messages.STOP,
            ]
        ),
        GOOD,
    ]
    turn = ask(talk)
    run_turn(turn.pk)
    assert talk.said(turn.pk) == "Lo miro.\nHay 30 días."
    assert ToolCall.objects.get().result is not None
    assert turn.attempts.get(number=1).input_tokens == 10


def test_anthropic_is_imported_only_where_it_is_used() -> None:
    code = (
        "import django; django.setup(); import agente.tasks, sys; "
        "sys.exit('anthropic' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], check=False)
    assert done.returncode == 0
