"""What owners arrange of the talker: agents, policies, the model and its key."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from acciones.models import Member, Site
from agente.models import Agent, Language, Passage, Policy
from tests.acciones.cast import member


@pytest.fixture
def site(db: None) -> Site:
    return Site.objects.create(public_id="tienda", name="Tienda")


@pytest.fixture
def owner(site: Site) -> Client:
    return entered(member(site, "owner", "owner"))


def entered(who: Member) -> Client:
    client = Client()
    client.force_login(who.user)
    return client


def address(model: str, row: Any = None) -> str:
    if row is None:
        return reverse(f"admin:agente_{model}_add")
    return reverse(f"admin:agente_{model}_change", args=[row.pk])


def save(client: Client, where: str, form: dict[str, Any]) -> None:
    answer = client.post(where, form)
    assert answer.status_code == 302, answer.context["adminform"].form.errors


def test_a_policy_is_published_in_versions_that_can_be_cited(
    site: Site, owner: Client
) -> None:
    form = {
        "site": site.pk,
        "slug": "returns-policy",
        "title": "Devoluciones",
        "enabled": "on",
        "language": "es",
        "text": "# 1. Plazo\n\nTreinta días.\n\n# 2. Estado\n\nSin abrir.",
    }
    save(owner, address("policy"), form)
    policy = Policy.objects.get()
    assert Passage.objects.filter(policy=policy, current=True).count() == 2
    where = address("policy", policy)
    assert "Treinta días." in owner.get(where).content.decode()
    save(owner, where, form)
    assert policy.versions.count() == 1
    save(owner, where, form | {"text": "# 1. Plazo\n\nQuince días."})
    assert policy.versions.count() == 2
    assert [p.text for p in Passage.objects.filter(current=True)] == ["Quince días."]


def model_form(site: Site, **more: str) -> dict[str, Any]:
    return {
        "site": site.pk,
        "provider": "openai",
        "base_url": "https://llm.example/v1",
        "name": "small-model",
        "finish_reason_required": "on",
        **more,
    }


def test_a_models_key_goes_in_and_never_comes_out(site: Site, owner: Client) -> None:
    save(owner, address("language"), model_form(site, new_key="sk-very-secret"))
    row = Language.objects.get()
    assert row.key == "sk-very-secret"
    where = address("language", row)
    assert "sk-very-secret" not in owner.get(where).content.decode()
    save(owner, where, model_form(site))
    assert Language.objects.get().key == "sk-very-secret"


def test_a_stored_key_never_follows_to_another_address(
    site: Site, owner: Client
) -> None:
    save(owner, address("language"), model_form(site, new_key="sk-very-secret"))
    where = address("language", Language.objects.get())
    moved = model_form(site, base_url="https://elsewhere.example/v1")
    assert "otra vez" in owner.post(where, moved).content.decode()
    assert Language.objects.get().base_url == "https://llm.example/v1"


@pytest.mark.parametrize("url", ["http://llm.example", "https://10.0.0.8/v1"])
def test_a_model_lives_at_a_public_address(site: Site, owner: Client, url: str) -> None:
    answer = owner.post(address("language"), model_form(site, base_url=url))
    assert answer.status_code == 200
    assert not Language.objects.exists()


def test_a_site_has_one_coordinator(site: Site, owner: Client) -> None:
    form = {
        "site": site.pk,
        "name": "coordinator",
        "title": "Coordinador",
        "description": "Reparte.",
        "instructions": "Reparte el trabajo.",
        "tools": "search_policy\nask_customer\n",
        "can_handoff_to": "",
        "suggestions": "Hola",
        "is_root": "on",
        "enabled": "on",
    }
    save(owner, address("agent"), form)
    assert Agent.objects.get().tools == ["search_policy", "ask_customer"]
    answer = owner.post(address("agent"), form | {"name": "second"})
    assert "ya tiene un coordinador" in answer.content.decode()


@pytest.mark.parametrize("model", ["agent", "policy", "language"])
def test_a_viewer_looks_and_an_outsider_does_not(
    site: Site, owner: Client, model: str
) -> None:
    rows: dict[str, Any] = {
        "agent": Agent(site=site, name="a", title="A", instructions="Secreta."),
        "policy": Policy(site=site, slug="p", title="P"),
        "language": Language(site=site, name="m"),
    }
    row = rows[model]
    row.save()
    viewer = entered(member(site, "viewer", "viewer"))
    assert viewer.get(address(model, row)).status_code == 200
    assert viewer.post(address(model, row), {"title": "x"}).status_code == 403
    elsewhere = Site.objects.create(public_id="otra", name="Otra")
    outsider = entered(member(elsewhere, "outsider", "owner"))
    assert outsider.get(address(model, row)).status_code == 302
    listed = outsider.get(reverse(f"admin:agente_{model}_changelist"))
    assert list(listed.context["cl"].result_list) == []
