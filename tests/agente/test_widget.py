"""The chat in a page of the site: who may frame it, its session, and its end."""

import json
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from acciones.models import Conversation, Site, Visitor
from acciones.visitors import by_token
from agente import widget
from tests.agente.conftest import visitor_of
from tests.agente.talk import Talk
from tests.agente.test_pages import token

SHOP = "https://ladera.example"


def opened(client: Client, bearer: str = "", **more: Any) -> dict[str, Any]:
    """Open a session as the frame does: with a token, without a cookie."""
    head = {"authorization": f"Bearer {bearer}"} if bearer else {}
    answer = client.post(
        "/api/sessions",
        json.dumps({"sitio": "tienda", "bearer": True, **more}),
        content_type="application/json",
        headers={"origin": "http://testserver", **head},
    )
    assert answer.status_code == 200, answer.content
    assert not answer.cookies
    return dict(answer.json())


@pytest.fixture
def site(tienda: Site) -> Site:
    """The shop, known by one address of its own."""
    tienda.allowed_origins = [SHOP]
    tienda.save()
    return tienda


def test_only_the_sites_own_pages_may_frame_it(client: Client, site: Site) -> None:
    answer = client.get("/widget/tienda/")
    policy = answer["content-security-policy"]
    assert f"frame-ancestors 'self' {SHOP}" in policy
    assert "x-frame-options" not in answer
    assert "script-src 'self'" in policy
    assert "require-trusted-types-for 'script'" in policy
    assert f"img-src 'self' data: {SHOP}" in policy
    page = unescape(answer.content.decode())
    assert "data-embed" in page
    assert f'data-origins="["{SHOP}"]"' in page
    assert not answer.cookies


def test_the_page_of_its_own_stays_out_of_frames(client: Client, site: Site) -> None:
    answer = client.get("/chat/tienda/")
    assert "frame-ancestors 'self';" in answer["content-security-policy"] + ";"
    assert SHOP not in answer["content-security-policy"].split("frame-ancestors")[1]
    assert answer["x-frame-options"] == "DENY"
    assert "data-embed" not in answer.content.decode()


@pytest.mark.parametrize(
    "origin",
    ["https://a.example; script-src *", "*", "https://*.example", "javascript:0", ""],
)
def test_what_is_no_origin_never_reaches_the_policy(
    client: Client, site: Site, origin: str
) -> None:
    site.allowed_origins = [origin]
    site.save()
    policy = client.get("/widget/tienda/")["content-security-policy"]
    assert policy.count("script-src") == 1
    assert policy.split("frame-ancestors ")[1].split(";")[0] == "'self'"


def test_it_speaks_the_language_that_the_page_asks_for(
    client: Client, site: Site
) -> None:
    for asked, shown in (("", "es"), ("?lang=en", "en"), ("?lang=xx", "es")):
        page = client.get(f"/widget/tienda/{asked}").content.decode()
        assert f'data-lang="{shown}"' in page
    assert client.get("/widget/nadie/").status_code == 404


def test_any_page_may_name_the_script(
    client: Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    built = tmp_path / "widget.js"
    monkeypatch.setattr(widget, "LOADER", built)
    assert client.get("/widget.js").status_code == 404
    built.write_text("var Maya = {}")
    answer = client.get("/widget.js")
    assert answer["content-type"] == "text/javascript"
    assert answer["cross-origin-resource-policy"] == "cross-origin"
    assert answer.getvalue() == b"var Maya = {}"


def test_signing_in_keeps_the_conversation_of_a_token(
    client: Client, site: Site
) -> None:
    before = opened(client)
    visitor = by_token(before["token"])
    assert visitor is not None
    kept = Conversation.objects.create(site=site, visitor=visitor)
    after = opened(client, before["token"], identity=token())
    assert after["visitor"] == before["visitor"]
    assert after["conversation"] == str(kept.pk)
    assert after["customer"]["id"] == "ana"


def test_another_customer_never_sees_it(client: Client, site: Site) -> None:
    ana = opened(client, identity=token())
    visitor = by_token(ana["token"])
    assert visitor is not None
    kept = Conversation.objects.create(site=site, visitor=visitor)
    luis = opened(client, ana["token"], identity=token(sub="luis", name="Luis"))
    assert luis["visitor"] != ana["visitor"]
    assert luis["conversation"] is None
    assert by_token(ana["token"]) is None
    kept.refresh_from_db()
    assert kept.closed is not None


def test_signing_out_ends_the_session_and_its_conversations(
    client: Client, site: Site
) -> None:
    ana = opened(client, identity=token())
    visitor = Visitor.objects.get(pk=ana["visitor"])
    kept = Conversation.objects.create(site=site, visitor=visitor)
    head = {"authorization": f"Bearer {ana['token']}"}
    for _ in range(2):  # a second time finds nothing to end
        gone = client.delete("/api/sessions?sitio=tienda", headers=head)
        assert gone.status_code == 204
    kept.refresh_from_db()
    assert kept.closed is not None
    assert by_token(ana["token"]) is None
    anew = opened(client, ana["token"])
    assert anew["visitor"] != ana["visitor"]
    assert anew["conversation"] is None


def test_another_sites_page_cannot_sign_anybody_out(client: Client, site: Site) -> None:
    asked = json.dumps({"sitio": "tienda"})
    ours = {"origin": "http://testserver"}
    client.post("/api/sessions", asked, content_type="application/json", headers=ours)
    elsewhere = {"origin": "https://otro.example"}
    answer = client.delete("/api/sessions?sitio=tienda", headers=elsewhere)
    assert answer.status_code == 403
    assert Visitor.objects.get().ended is None
    assert client.delete("/api/sessions?sitio=tienda", headers=ours).status_code == 204
    assert Visitor.objects.get().ended is not None
    assert client.delete("/api/sessions?sitio=nadie", headers=ours).status_code == 404


def test_a_turn_that_lacked_a_customer_says_so(site: Site) -> None:
    nobody = Talk(visitor_of(site))
    nobody.type("revisa el pedido 4821")
    assert nobody.events("run.status", turn=True)[-1]["reason"] == "sign_in_required"
    nobody.type("hola")
    assert "reason" not in nobody.events("run.status", turn=True)[-1]
