"""What owners arrange: secrets, connections, actions, members."""

from typing import Any

import pytest
from django.urls import reverse

from acciones.models import Action, ActionVersion, AgentSecret, Connection, Member
from tests.acciones.cast import SECRET, Cast

from .conftest import As


def form_of(client: Any, name: str, *args: Any) -> tuple[str, dict[str, Any]]:
    """Return an admin form's address and what its fields hold, as a browser sends."""
    address = reverse(name, args=args)
    answer = client.get(address)
    assert answer.status_code == 200
    form = answer.context["adminform"].form
    fields: dict[str, Any] = {}
    for bound in form:
        value = bound.value()
        if hasattr(bound.field, "columns"):
            for number, row in enumerate(value or []):
                for key, cell in row.items():
                    if cell is not False:
                        fields[f"{bound.name}-{number}-{key}"] = cell
        elif value not in (None, False):
            fields[bound.name] = value
    return address, {key: value for key, value in fields.items() if value is not None}


def errors(answer: Any) -> str:
    assert answer.status_code == 200, "saved, though it should not have been"
    return str(answer.context["adminform"].form.errors)


# Secrets


def rotate(client: Any, **more: Any) -> Any:
    address = reverse("admin:acciones_agentsecret_add")
    start = client.get(address).context["form"].initial
    form = {"site": start["site"].pk, "overlap": "24", "newest": start["newest"]}
    return client.post(address, form | more)


def test_a_secret_is_shown_once_and_never_again(house: Cast, entered: As) -> None:
    client = entered(house.owner)
    answer = rotate(client)
    new = AgentSecret.objects.latest("pk")
    assert new.plain in answer.content.decode()
    assert "no-store" in answer["Cache-Control"]
    for name, args in (
        ("admin:acciones_agentsecret_changelist", ()),
        ("admin:acciones_agentsecret_change", (new.pk,)),
        ("admin:acciones_agentsecret_history", (new.pk,)),
    ):
        page = client.get(reverse(name, args=args)).content.decode()
        assert new.plain not in page
        assert SECRET not in page
    assert AgentSecret.objects.live(house.site.pk).count() == 2


def test_reloading_the_answer_makes_no_second_secret(house: Cast, entered: As) -> None:
    client = entered(house.owner)
    before = client.get(reverse("admin:acciones_agentsecret_add")).context["form"]
    stale = before.initial["newest"]
    rotate(client)
    answer = rotate(client, newest=stale)
    assert answer.status_code == 302
    assert AgentSecret.objects.filter(site=house.site).count() == 2


def test_no_overlap_ends_the_old_one_now(house: Cast, entered: As) -> None:
    rotate(entered(house.owner), overlap="0")
    assert [s.kid for s in AgentSecret.objects.live(house.site.pk)] == ["k2"]


def test_ending_a_secret_takes_a_post_by_its_owner(house: Cast, entered: As) -> None:
    secret = AgentSecret.objects.get(site=house.site)
    address = reverse("admin:acciones_agentsecret_end", args=[secret.pk])
    for other in (house.outsider, house.teammate):
        assert entered(other).post(address).status_code == 404
    assert AgentSecret.objects.live(house.site.pk).exists()
    assert entered(house.owner).post(address).status_code == 302
    assert not AgentSecret.objects.live(house.site.pk).exists()


def test_nobody_makes_a_secret_for_another_site(house: Cast, entered: As) -> None:
    answer = rotate(entered(house.outsider), site=house.site.pk)
    assert answer.status_code == 200
    assert AgentSecret.objects.filter(site=house.site).count() == 1


# Connections


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("http://shop.example", "https://"),
        ("https://127.0.0.1", "no es pública"),
        ("https://shop.example:8443", "443"),
        ("https://user:pass@shop.example", "usuario"),
        ("https://[::ffff:10.0.0.1]", "no es pública"),
    ],
)
def test_a_connection_says_why_an_address_will_not_do(
    house: Cast, entered: As, url: str, said: str
) -> None:
    client = entered(house.owner)
    address, form = form_of(
        client, "admin:acciones_connection_change", house.connection.pk
    )
    assert said in errors(client.post(address, form | {"url": url}))


def test_secret_headers_go_in_and_never_come_out(house: Cast, entered: As) -> None:
    client = entered(house.owner)
    address, form = form_of(
        client, "admin:acciones_connection_change", house.connection.pk
    )
    form["new_headers"] = "Authorization: Bearer abc-def-ghi\nX-Team: shop"
    assert client.post(address, form).status_code == 302
    stored = Connection.objects.get(pk=house.connection.pk)
    assert stored.headers == {"Authorization": "Bearer abc-def-ghi", "X-Team": "shop"}
    assert b"abc-def-ghi" not in bytes(stored.sealed_headers or b"")
    page = client.get(address).content.decode()
    assert "Authorization, X-Team" in page
    assert "abc-def-ghi" not in page
    form["new_headers"] = ""
    client.post(address, form)
    assert Connection.objects.get(pk=stored.pk).headers == stored.headers
    client.post(address, form | {"forget_headers": "on"})
    assert Connection.objects.get(pk=stored.pk).headers == {}


def test_stored_headers_never_follow_to_another_address(
    house: Cast, entered: As
) -> None:
    house.connection.headers = {"Authorization": "Bearer abc-def-ghi"}
    house.connection.save()
    client = entered(house.owner)
    address, form = form_of(
        client, "admin:acciones_connection_change", house.connection.pk
    )
    moved = form | {"url": "https://elsewhere.example"}
    assert "otra vez" in errors(client.post(address, moved))
    assert client.post(address, moved | {"forget_headers": "on"}).status_code == 302
    stored = Connection.objects.get(pk=house.connection.pk)
    assert (stored.url, stored.headers) == ("https://elsewhere.example", {})


def test_a_mistyped_header_is_not_repeated_on_the_page(
    house: Cast, entered: As
) -> None:
    client = entered(house.owner)
    address, form = form_of(
        client, "admin:acciones_connection_change", house.connection.pk
    )
    answer = client.post(address, form | {"new_headers": "no colon here"})
    assert "Nombre: valor" in errors(answer)


# Actions


def test_saving_an_action_publishes_what_it_means(house: Cast, entered: As) -> None:
    client = entered(house.owner)
    address, form = form_of(client, "admin:acciones_action_change", house.refund.pk)
    before = ActionVersion.objects.filter(action=house.refund).count()
    answer = client.post(address, form)
    assert answer.status_code == 302, errors(answer)
    assert ActionVersion.objects.filter(action=house.refund).count() == before
    form |= {
        "approval": "conditional",
        "conditions-0-field": "amount",
        "conditions-0-op": ">",
        "conditions-0-value": "5000",
        "inputs-2-name": "note",
        "inputs-2-max_length": "200",
    }
    answer = client.post(address, form, follow=True)
    assert "Publicada la versión 2" in answer.content.decode()
    action = Action.objects.get(pk=house.refund.pk)
    assert action.version == 2
    assert action.conditions == [{"field": "amount", "op": ">", "value": "5000"}]
    assert [item["name"] for item in action.inputs] == ["order_id", "amount", "note"]
    assert action.inputs[2] == {"name": "note", "required": False, "max_length": 200}
    assert action.money == house.refund.money
    assert ActionVersion.objects.latest("pk").published_by == house.owner.user


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"inputs-0-name": "1 x"}, "no sirve como nombre"),
        ({"inputs-1-name": "order_id"}, "mismo nombre"),
        ({"inputs-0-name": ""}, "Falta"),
        ({"inputs-0-pattern": "("}, "no es válido"),
        ({"conditions-0-field": "weather", "conditions-0-op": "present"}, "dato"),
        ({"conditions-0-field": "amount", "conditions-0-op": ">"}, "Falta el valor"),
        ({"money_currency": ""}, "una de dos"),
        ({"money_currency": "eur"}, "money_currency"),
        ({"path": "agent/refund"}, "empieza por"),
        ({"path": "//evil.example/x"}, "empieza por"),
        ({"input_schema": '{"type": 7}'}, "esquema"),
        ({"input_schema": '{"type": "array"}'}, "objeto"),
        ({"input_schema": "true"}, "objeto"),
    ],
)
def test_an_action_explains_what_is_wrong(
    house: Cast, entered: As, change: dict[str, str], said: str
) -> None:
    client = entered(house.owner)
    address, form = form_of(client, "admin:acciones_action_change", house.refund.pk)
    assert said in errors(client.post(address, form | change))


def test_an_action_cannot_borrow_another_sites_connection(
    house: Cast, entered: As
) -> None:
    foreign = Connection.objects.create(
        site=house.outsider.site, name="x", kind="webhook", url="https://x.example"
    )
    client = entered(house.owner)
    address, form = form_of(client, "admin:acciones_action_change", house.refund.pk)
    assert "connection" in errors(
        client.post(address, form | {"connection": foreign.pk})
    )
    # Whoever owns both sites gets it offered, and is still told no
    Member.objects.create(site=foreign.site, user=house.owner.user, role="owner")
    assert "otro sitio" in errors(
        client.post(address, form | {"connection": foreign.pk})
    )


def test_an_owner_defines_an_action_from_nothing(house: Cast, entered: As) -> None:
    client = entered(house.owner)
    form = {
        "site": house.site.pk,
        "kind": "change",
        "name": "change_address",
        "title": "Cambiar dirección",
        "description": "Cuando el cliente se muda.",
        "connection": house.connection.pk,
        "path": "/agent/change-address",
        "enabled": "on",
        "approval": "always",
        "quorum": "1",
        "requires_customer": "on",
        "inputs-0-name": "street",
        "inputs-0-required": "on",
        "input_schema": "{}",
    }
    answer = client.post(reverse("admin:acciones_action_add"), form)
    assert answer.status_code == 302, errors(answer)
    action = Action.objects.get(name="change_address")
    assert (action.version, action.tool_name) == (1, "change_change_address")


def test_an_action_shows_itself_from_outside_and_its_past(
    house: Cast, entered: As
) -> None:
    client = entered(house.owner)
    address, form = form_of(client, "admin:acciones_action_change", house.refund.pk)
    client.post(address, form | {"quorum": "2", "title": "Otra<b>"})
    page = client.get(address)
    shown = page.content.decode()
    assert "change_refund_order" in page.context["tool"]
    assert '"siteId": "tienda"' in page.context["request_shown"]
    assert "POST https://shop.example/agent/refund-order" in shown
    assert "Otra<b>" not in shown
    newest, first = page.context["history"]
    assert [(c.field, c.before, c.after) for c in newest.changes] == [
        ("quorum", "1", "2")
    ]
    assert newest.who == house.owner.user.get_username()
    assert first.changes == []


def test_a_lookup_shows_no_change_request(house: Cast, entered: As) -> None:
    address = reverse("admin:acciones_action_change", args=[house.get_order.pk])
    page = entered(house.viewer).get(address)
    assert page.context["request_shown"] == ""
    assert "lookup_get_order" in page.context["tool"]


# Members


def members_form(client: Any, house: Cast) -> tuple[str, dict[str, Any]]:
    address, form = form_of(client, "admin:acciones_site_change", house.site.pk)
    members = list(house.site.member_set.order_by("pk"))
    form |= {
        "member_set-TOTAL_FORMS": str(len(members) + 1),
        "member_set-INITIAL_FORMS": str(len(members)),
    }
    for number, member in enumerate(members):
        form |= {
            f"member_set-{number}-id": member.pk,
            f"member_set-{number}-site": house.site.pk,
            f"member_set-{number}-username": member.user.get_username(),
            f"member_set-{number}-role": member.role,
            f"member_set-{number}-customer_id": member.customer_id,
        }
    return address, form


def test_an_owner_adds_a_colleague_by_name(house: Cast, entered: As) -> None:
    client = entered(house.owner)
    address, form = members_form(client, house)
    name = house.outsider.user.get_username()
    new = {"member_set-3-username": name, "member_set-3-role": "viewer"}
    assert client.post(address, form | new).status_code == 302
    assert (
        Member.objects.get(site=house.site, user=house.outsider.user).role == "viewer"
    )


def test_a_site_keeps_an_owner(house: Cast, entered: As) -> None:
    client = entered(house.owner)
    address, form = members_form(client, house)
    for change in ({"member_set-0-role": "viewer"}, {"member_set-0-DELETE": "on"}):
        answer = client.post(address, form | change)
        assert "al menos un propietario" in answer.content.decode()
    assert Member.objects.get(pk=house.owner.pk).role == "owner"


def test_an_unknown_name_is_no_member(house: Cast, entered: As) -> None:
    client = entered(house.owner)
    address, form = members_form(client, house)
    new = {"member_set-3-username": "nobody", "member_set-3-role": "owner"}
    answer = client.post(address, form | new)
    assert "No hay ninguna cuenta" in answer.content.decode()


@pytest.mark.parametrize(
    "origin", ["shop.example", "https://shop.example/x", "https://*.example", "ftp://x"]
)
def test_an_origin_is_exact(house: Cast, entered: As, origin: str) -> None:
    client = entered(house.owner)
    address, form = members_form(client, house)
    answer = client.post(address, form | {"allowed_origins": origin})
    assert answer.status_code == 200
    assert origin in answer.content.decode()
