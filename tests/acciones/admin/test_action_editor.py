"""Actions: written by an owner, checked, published, shown from outside."""

import pytest
from django.urls import reverse

from acciones.models import Action, ActionVersion, Connection, Member
from tests.acciones.cast import Cast

from .conftest import As
from .forms import errors, form_of, publish


def test_saving_an_action_publishes_what_it_means(house: Cast, entered: As) -> None:
    client = entered(house.owner)
    address, form = form_of(client, "admin:acciones_action_change", house.refund.pk)
    before = ActionVersion.objects.filter(action=house.refund).count()
    answer = client.post(address, form, follow=True)
    assert "todo sigue igual" in answer.content.decode()
    assert ActionVersion.objects.filter(action=house.refund).count() == before
    form |= {
        "approval": "conditional",
        "conditions-0-field": "amount",
        "conditions-0-op": ">",
        "conditions-0-value": "5000",
        "inputs-2-name": "note",
        "inputs-2-max_length": "200",
    }
    answer = publish(client, address, form, follow=True)
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
    publish(client, address, form | {"quorum": "2", "title": "Otra<b>"})
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
