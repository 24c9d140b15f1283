"""The visitors' API over HTTP: sessions, receipts, confirmation, refusals."""

import time
import uuid
from typing import Any

import jwt
import pytest
from django.test import Client

from acciones.models import Conversation, Run, Visitor

from .cast import SECRET, Cast, fresh
from .conftest import Shop

ORIGIN = "http://testserver"


def bearer(cast: Cast, who: str = "ana") -> dict[str, Any]:
    return {"authorization": f"Bearer {cast.tokens[who]}"}


def post(path: str, data: Any, client: Client | None = None, **headers: Any) -> Any:
    return (client or Client()).post(
        path, data, content_type="application/json", headers=headers
    )


def identity(
    who: str = "ana", *, secret: str = SECRET, kid: str = "k1", **more: Any
) -> str:
    now = int(time.time())
    claims = {
        "iss": "tienda",
        "aud": "maya",
        "sub": who,
        "iat": now,
        "exp": now + 300,
        "jti": str(uuid.uuid4()),
        "name": "Ana López",
    } | more
    return jwt.encode(
        {name: value for name, value in claims.items() if value is not None},
        secret,
        algorithm="HS256",
        headers={"kid": kid},
    )


def test_a_session_opens_and_keeps_its_visitor(cast: Cast) -> None:
    client = Client()
    first = post("/api/sessions", {"sitio": "tienda"}, client, origin=ORIGIN)
    assert first.status_code == 200
    assert "token" not in first.json()
    cookie = client.cookies["maya_visitor_tienda"]
    assert cookie["httponly"]
    assert cookie["samesite"] == "Lax"
    again = post("/api/sessions", {"sitio": "tienda"}, client, origin=ORIGIN)
    assert again.json()["visitor"] == first.json()["visitor"]
    assert Visitor.objects.filter(pk=first.json()["visitor"]).exists()


def test_another_sites_page_cannot_use_the_cookie(cast: Cast) -> None:
    client = Client()
    post("/api/sessions", {"sitio": "tienda"}, client, origin=ORIGIN)
    client.cookies["maya_visitor_tienda"] = cast.tokens["ana"]
    run = cast.offer()
    answer = client.get(f"/api/runs/{run.pk}").json()
    token = answer["confirmation"]["token"]
    for origin in ("http://evil.example", "null", ""):
        headers = {"origin": origin} if origin else {}
        refused = post(
            f"/api/runs/{run.pk}/confirm", {"token": token}, client, **headers
        )
        assert refused.status_code == 403
    assert fresh(run).state == Run.State.REQUESTED
    taken = post(f"/api/runs/{run.pk}/confirm", {"token": token}, client, origin=ORIGIN)
    assert taken.status_code == 200


def test_signing_in_keeps_the_conversation(cast: Cast) -> None:
    opened = post("/api/sessions", {"sitio": "tienda", "bearer": True}).json()
    head: dict[str, Any] = {"authorization": f"Bearer {opened['token']}"}
    visitor = Visitor.objects.get(pk=opened["visitor"])
    Conversation.objects.create(site=cast.site, visitor=visitor)
    signed = post(
        "/api/sessions",
        {"sitio": "tienda", "identity": identity(), "bearer": True},
        **head,
    ).json()
    assert signed["visitor"] == opened["visitor"]
    assert signed["customer"] == {"id": "ana", "name": "Ana López"}
    assert signed["conversation"]


def test_another_customer_never_inherits_a_conversation(cast: Cast) -> None:
    head = bearer(cast)
    answer = post(
        "/api/sessions",
        {"sitio": "tienda", "identity": identity("luis"), "bearer": True},
        **head,
    ).json()
    assert answer["visitor"] != str(cast.customer.pk)
    assert answer["conversation"] is None
    cast.conversation.refresh_from_db()
    assert cast.conversation.closed is not None
    assert (
        Client().get("/api/runs?ids=" + str(uuid.uuid4()), headers=head).status_code
        == 401
    )


@pytest.mark.parametrize(
    "wrong",
    [
        {"secret": "another-secret-0123456789abcdef-0123456789"},
        {"kid": "k9"},
        {"iss": "otra"},
        {"aud": "elsewhere"},
        {"aud": ["maya", "elsewhere"]},
        {"sub": None},
        {"sub": 5},
        {"sub": "x" * 201},
        {"exp": None},
        {"iat": None},
        {"jti": None},
        {"exp": 1},
        {"exp": int(time.time()) + 10 * 365 * 86400},
        {"iat": int(time.time()) + 4000, "exp": int(time.time()) + 4100},
    ],
    ids=str,
)
def test_a_doubtful_identity_is_refused(cast: Cast, wrong: dict[str, Any]) -> None:
    answer = post("/api/sessions", {"sitio": "tienda", "identity": identity(**wrong)})
    assert (answer.status_code, answer.json()["code"]) == (401, "identity_refused")


@pytest.mark.parametrize("token", ["", "x", "a.b.c", "ñ" * 50, "eyJ.eyJ." + "A" * 5000])
def test_garbage_is_no_identity(cast: Cast, token: str) -> None:
    answer = post("/api/sessions", {"sitio": "tienda", "identity": token})
    assert answer.status_code in {200, 401}
    assert (answer.status_code == 200) == (token == "")


def test_an_unsigned_token_is_refused(cast: Cast) -> None:
    forged = jwt.encode(
        jwt.decode(identity(), options={"verify_signature": False}),
        "",
        algorithm="none",
        headers={"kid": "k1"},
    )
    assert (
        post("/api/sessions", {"sitio": "tienda", "identity": forged}).status_code
        == 401
    )


def test_the_receipt_shows_exactly_what_will_happen(cast: Cast) -> None:
    run = cast.offer()
    seen = Client().get(f"/api/runs/{run.pk}", headers=bearer(cast)).json()
    assert seen["word"] == "solicitado"
    assert seen["amount"] == {"minor": 7900, "currency": "EUR", "exponent": 2}
    assert seen["target"] == {"kind": "order", "ref": "4821"}
    assert [(i["label"], i["shown"]) for i in seen["input"]] == [
        ("Pedido", "4821"),
        ("Importe", "79.00"),
    ]
    assert seen["digest"].startswith(seen["digest_short"])
    assert seen["confirmation"]["token"]
    assert "body" not in seen


def test_confirm_and_cancel_answer_with_the_receipt(cast: Cast) -> None:
    run = cast.offer()
    head = bearer(cast)
    token = Client().get(f"/api/runs/{run.pk}", headers=head).json()["confirmation"]
    done = post(f"/api/runs/{run.pk}/confirm", {"token": token["token"]}, **head)
    assert (done.status_code, done.json()["state"]) == (200, "awaiting_owner")
    assert done.json()["confirmation"] is None
    again = post(f"/api/runs/{run.pk}/confirm", {"token": token["token"]}, **head)
    assert (again.status_code, again.json()["code"]) == (409, "wrong_state")
    assert again.json()["receipt"]["state"] == "awaiting_owner"
    late = post(f"/api/runs/{run.pk}/cancel", {}, **head)
    assert (late.status_code, late.json()["code"]) == (409, "wrong_state")


def test_anybody_elses_run_looks_like_none(cast: Cast) -> None:
    run, nobody = cast.offer(), uuid.uuid4()
    for who in ("luis", "anonymous"):
        head = bearer(cast, who)
        for method, suffix in (("get", ""), ("post", "/confirm"), ("post", "/cancel")):
            answers = [
                getattr(Client(), method)(
                    f"/api/runs/{key}{suffix}",
                    *([{}] if method == "post" else []),
                    **(
                        {"content_type": "application/json"} if method == "post" else {}
                    ),
                    headers=head,
                )
                for key in (run.pk, nobody)
            ]
            assert [a.status_code for a in answers] == [404, 404]
            assert answers[0].content == answers[1].content
            assert answers[0].headers == answers[1].headers
        listed = Client().get(f"/api/runs?ids={run.pk},{nobody}", headers=head)
        assert listed.json() == {"runs": []}


def test_many_receipts_cost_a_fixed_number_of_queries(
    cast: Cast, django_assert_max_num_queries: Any
) -> None:
    runs = [
        cast.offer(order=str(4800 + n), action=a)
        for n, a in enumerate((cast.refund, cast.cancel))
    ]
    ids = ",".join(str(run.pk) for run in runs)
    with django_assert_max_num_queries(4):
        seen = Client().get(f"/api/runs?ids={ids}", headers=bearer(cast)).json()
    assert len(seen["runs"]) == 2


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        (b"", 400, "bad_input"),
        (b"{", 400, "bad_json"),
        (b"[]", 400, "bad_input"),
        (b'{"token":"x","token":"y"}', 400, "bad_json"),
        (b'{"token":NaN}', 400, "bad_json"),
        (b'{"token":"x","extra":1}', 400, "bad_input"),
        (b'{"token":5}', 404, "not_found"),
        (b'{"token":"\xff"}', 400, "bad_json"),
        (b"[" * 60000, 400, "bad_json"),
        (b'{"token":"' + b"x" * 70000 + b'"}', 413, "too_large"),
    ],
)
def test_bad_bodies_are_clear_problems(
    cast: Cast, body: bytes, status: int, code: str
) -> None:
    run = cast.offer()
    answer = Client().post(
        f"/api/runs/{run.pk}/confirm",
        body,
        content_type="application/json",
        headers=bearer(cast),
    )
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert answer.headers["content-type"] == "application/problem+json"
    assert fresh(run).state == Run.State.REQUESTED


@pytest.mark.parametrize("ids", ["", "x", ",", "1,2", ",".join(["0" * 32] * 101)])
def test_bad_ids_are_a_clear_problem(cast: Cast, ids: str) -> None:
    answer = Client().get(f"/api/runs?ids={ids}", headers=bearer(cast))
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_input")


def test_no_session_is_a_clear_problem(cast: Cast) -> None:
    run = cast.offer()
    for headers in ({}, {"authorization": "Bearer x"}, {"authorization": "Basic x"}):
        answer = Client().get(f"/api/runs/{run.pk}", headers=headers)
        assert (answer.status_code, answer.json()["code"]) == (401, "session_required")


def test_only_done_looks_done(cast: Cast, shop: Shop) -> None:
    shop.mood("5xx")
    run = cast.dispatched()
    seen = Client().get(f"/api/runs/{run.pk}", headers=bearer(cast)).json()
    assert seen["word"] == "comprobando un resultado desconocido"
    assert seen["final"] is False
    Run.objects.filter(pk=run.pk).update(
        state="failed", certain=False, finished_at=run.created, reason="exhausted"
    )
    seen = Client().get(f"/api/runs/{run.pk}", headers=bearer(cast)).json()
    assert seen["word"] == "No pudimos confirmar"
    shop.mood("ok")
