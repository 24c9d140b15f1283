"""Owners arrange agents, policies and the model; what is secret stays inside."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from acciones.models import Member, Site
from agente.models import Agent, Language, Passage, Policy, Turn
from tests.acciones.cast import member
from tests.agente.talk import Talk
from tests.agente.wire import chat_completions as wire
from tests.agente.wire.server import Server, serving


@pytest.fixture
def owner(tienda: Site) -> Client:
    """Return the browser of the site's owner."""
    return entered(member(tienda, "owner", Member.Role.OWNER))


def entered(who: Member) -> Client:
    """Sign somebody in."""
    client = Client()
    client.force_login(who.user)
    return client


def page(client: Client, name: str, *args: Any) -> str:
    """Return an admin page."""
    answer = client.get(reverse(f"admin:agente_{name}", args=args))
    assert answer.status_code == 200
    return answer.content.decode()


def agent_form(agent: Agent, **more: Any) -> dict[str, Any]:
    """Return an agent's form as it is sent."""
    return {
        "title": agent.title,
        "description": agent.description,
        "instructions": agent.instructions,
        "enabled": "on",
        "tools": agent.tools,
        "can_handoff_to": agent.can_handoff_to,
        "suggestions": "",
        **({"is_root": "on"} if agent.is_root else {}),
        **more,
    }


def test_the_owner_sees_what_an_agent_reaches(owner: Client, tienda: Site) -> None:
    root = Agent.objects.get(site=tienda, is_root=True)
    shown = page(owner, "agent_change", root.pk)
    assert "Puede proponer (nunca ejecutar): " in shown
    assert "Cancelar pedido, Reembolsar pedido" in shown.replace(
        "Reembolsar pedido, Cancelar pedido", "Cancelar pedido, Reembolsar pedido"
    )
    assert "change_refund_order · Reembolsar pedido" in shown


def test_tools_are_chosen_from_what_exists(owner: Client, tienda: Site) -> None:
    agent = Agent.objects.get(site=tienda, name="refund_specialist")
    address = reverse("admin:agente_agent_change", args=[agent.pk])
    answer = owner.post(address, agent_form(agent, tools=["search_policy"]))
    assert answer.status_code == 302
    agent.refresh_from_db()
    assert agent.tools == ["search_policy"]
    answer = owner.post(address, agent_form(agent, tools=["confirm_run"]))
    assert answer.status_code == 200
    agent.refresh_from_db()
    assert agent.tools == ["search_policy"]


def test_there_is_always_one_coordinator(owner: Client, tienda: Site) -> None:
    root = Agent.objects.get(site=tienda, is_root=True)
    form = agent_form(root)
    del form["is_root"]
    address = reverse("admin:agente_agent_change", args=[root.pk])
    assert owner.post(address, form).status_code == 200
    other = Agent.objects.get(site=tienda, name="refund_specialist")
    address = reverse("admin:agente_agent_change", args=[other.pk])
    assert owner.post(address, agent_form(other, is_root="on")).status_code == 302
    assert [a.name for a in Agent.objects.filter(site=tienda, is_root=True)] == [
        "refund_specialist"
    ]


def test_another_sites_owner_sees_none_of_it(owner: Client, tienda: Site) -> None:
    elsewhere = Site.objects.create(public_id="otra", name="Otra")
    outsider = entered(member(elsewhere, "outsider", Member.Role.OWNER))
    agent = Agent.objects.get(site=tienda, is_root=True)
    policy = Policy.objects.filter(site=tienda)[0]
    for name, pk in (("agent", agent.pk), ("policy", policy.pk)):
        address = reverse(f"admin:agente_{name}_change", args=[pk])
        assert outsider.get(address).status_code == 302
        assert outsider.post(address, {}).status_code in {302, 403}
        assert "Ladera" not in page(outsider, f"{name}_changelist")


def test_a_viewer_reads_and_changes_nothing(tienda: Site) -> None:
    viewer = entered(member(tienda, "viewer", Member.Role.VIEWER))
    agent = Agent.objects.get(site=tienda, is_root=True)
    address = reverse("admin:agente_agent_change", args=[agent.pk])
    assert viewer.get(address).status_code == 200
    assert viewer.post(address, agent_form(agent, title="Otro")).status_code == 403
    agent.refresh_from_db()
    assert agent.title == "Coordinador"


def policy_form(policy: Policy, **more: Any) -> dict[str, Any]:
    """Return a policy's form as it is sent."""
    return {"title": policy.title, "enabled": "on", "language": "es", **more}


def test_a_saved_policy_is_a_version_in_force(owner: Client, tienda: Site) -> None:
    policy = Policy.objects.get(site=tienda, slug="shipping-policy")
    address = reverse("admin:agente_policy_change", args=[policy.pk])
    text = "## 1. Drones\n\nLlegan por el aire."
    assert owner.post(address, policy_form(policy, text=text)).status_code == 302
    in_force = Passage.objects.filter(policy=policy, current=True)
    assert [passage.heading for passage in in_force] == ["Drones"]
    assert policy.versions.count() == 2
    assert owner.post(address, policy_form(policy, text=text)).status_code == 302
    assert policy.versions.count() == 2


def test_a_document_becomes_a_policy(owner: Client, tienda: Site) -> None:
    policy = Policy.objects.get(site=tienda, slug="shipping-policy")
    address = reverse("admin:agente_policy_change", args=[policy.pk])
    upload = SimpleUploadedFile("envios.html", b"<h2>7. Globos</h2><p>A veces.</p>")
    answer = owner.post(address, policy_form(policy, text="", document=upload))
    assert answer.status_code == 302
    assert Passage.objects.get(policy=policy, current=True).reference == (
        "shipping-policy:section-7"
    )
    upload = SimpleUploadedFile("virus.exe", b"MZ")
    answer = owner.post(address, policy_form(policy, text="", document=upload))
    assert "Usa Markdown, texto, HTML, PDF o DOCX." in answer.content.decode()


def test_the_search_box_shows_what_the_agent_would_find(
    owner: Client, tienda: Site
) -> None:
    address = reverse("admin:agente_policy_search")
    asked: dict[str, str] = {
        "site": str(tienda.pk),
        "question": "productos sin abrir",
    }
    shown = owner.get(address, asked).content.decode()
    assert "returns-policy:section-3" in shown
    elsewhere = Site.objects.create(public_id="otra", name="Otra")
    outsider = entered(member(elsewhere, "outsider", Member.Role.OWNER))
    assert "returns-policy" not in outsider.get(address, asked).content.decode()


@pytest.fixture
def server(settings: Any) -> Iterator[Server]:
    """Run a model server that our addresses may reach."""
    with serving(Server([wire.text("Hola.")])) as server:
        settings.MAYA_DEV_ENDPOINTS = [*settings.MAYA_DEV_ENDPOINTS, server.url]
        yield server


def language_form(site: Site, server: Server, **more: Any) -> dict[str, Any]:
    """Return a model's form as it is sent."""
    return {
        "site": site.pk,
        "provider": "openai",
        "base_url": f"{server.url}/v1",
        "name": "wire",
        "finish_reason_required": "on",
        **more,
    }


def test_a_models_key_goes_in_and_never_out(
    owner: Client, tienda: Site, server: Server
) -> None:
    address = reverse("admin:agente_language_add")
    form = language_form(tienda, server, new_key="sk-very-secret")
    assert owner.post(address, form).status_code == 302
    language = Language.objects.get()
    assert language.key == "sk-very-secret"
    assert "sk-very-secret" not in page(owner, "language_change", language.pk)
    assert "sk-very-secret" not in page(owner, "language_history", language.pk)
    address = reverse("admin:agente_language_change", args=[language.pk])
    assert owner.post(address, language_form(tienda, server)).status_code == 302
    language.refresh_from_db()
    assert language.key == "sk-very-secret"


def test_a_saved_key_does_not_follow_to_another_address(
    owner: Client, tienda: Site, server: Server
) -> None:
    language = Language(
        site=tienda, provider="openai", base_url=f"{server.url}/v1", name="wire"
    )
    language.key = "sk-very-secret"
    language.save()
    address = reverse("admin:agente_language_change", args=[language.pk])
    form = language_form(tienda, server, base_url="https://evil.example/v1")
    answer = owner.post(address, form)
    assert "escribe otra vez la clave" in answer.content.decode()
    language.refresh_from_db()
    assert language.base_url == f"{server.url}/v1"


@pytest.mark.parametrize(
    "url", ["http://10.0.0.1/v1", "https://127.0.0.1/v1", "http://example.com/v1"]
)
def test_a_model_inside_the_house_is_refused(
    owner: Client, tienda: Site, server: Server, url: str
) -> None:
    address = reverse("admin:agente_language_add")
    owner.post(address, language_form(tienda, server, base_url=url, new_key="k"))
    assert not Language.objects.exists()


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (wire.call("consultar_horario", '{"dia": "hoy"}'), "Responde y usa herram"),
        (wire.text("Hola."), "no llamó a la herramienta"),
        (wire.BROKEN["a 500"], "El servidor respondió 500."),
        (wire.BROKEN["text, then a reset"], "No se pudo completar"),
    ],
)
def test_the_button_tries_the_model(
    owner: Client, tienda: Site, server: Server, answer: Any, said: str
) -> None:
    server.answers[:] = [answer]
    language = Language.objects.create(
        site=tienda, provider="openai", base_url=f"{server.url}/v1", name="wire"
    )
    address = reverse("admin:agente_language_change", args=[language.pk])
    form = language_form(tienda, server, _try="1")
    shown = owner.post(address, form, follow=True).content.decode()
    assert said in shown


def test_a_turn_is_there_to_read(owner: Client, ana: Talk) -> None:
    ana.type("Revisa el pedido 4821 y prepara un reembolso")
    turn = Turn.objects.get()
    shown = page(owner, "turn_change", turn.pk)
    assert "lookup_get_order" in shown
    assert "guion" in shown
    assert 'name="_save"' not in shown
    assert "Revisa el pedido" in page(owner, "turn_changelist")
