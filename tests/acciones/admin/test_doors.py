"""Who may open what, and what an address alone can do: nothing."""

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from tests.acciones.cast import Cast, fresh

from .conftest import As

LISTS = [
    "admin:index",
    "admin:inbox",
    "admin:acciones_run_changelist",
    "admin:acciones_action_changelist",
    "admin:acciones_connection_changelist",
    "admin:acciones_customer_changelist",
    "admin:acciones_site_changelist",
]


@pytest.mark.parametrize("page", LISTS)
@pytest.mark.parametrize("role", ["owner", "teammate", "viewer"])
def test_members_open_every_list(
    house: Cast, entered: As, page: str, role: str
) -> None:
    house.confirmed()
    assert entered(getattr(house, role)).get(reverse(page)).status_code == 200


@pytest.mark.parametrize("page", LISTS)
def test_an_outsider_sees_no_row_of_the_site(
    house: Cast, entered: As, page: str
) -> None:
    house.confirmed()
    shown = entered(house.outsider).get(reverse(page)).content.decode()
    for word in ("4821", "Reembolsar", "Ana López", "shop.example"):
        assert word not in shown


@pytest.mark.parametrize("page", LISTS)
def test_staff_without_a_membership_gets_in_nowhere(
    house: Cast, entered: As, page: str
) -> None:
    staff = User.objects.create_user("staff", is_staff=True)
    answer = entered(staff).get(reverse(page))
    assert answer.status_code == 302
    assert answer["Location"].startswith(reverse("admin:login"))


def test_a_removed_member_is_out_at_once(house: Cast, entered: As) -> None:
    client = entered(house.teammate)
    assert client.get(reverse("admin:inbox")).status_code == 200
    house.teammate.delete()
    assert client.get(reverse("admin:inbox")).status_code == 302


@pytest.mark.parametrize(
    "model", ["run", "action", "connection", "agentsecret", "customer", "site"]
)
def test_an_outsider_opens_no_page_of_a_row(
    house: Cast, entered: As, model: str
) -> None:
    run = house.confirmed()
    keys = {
        "run": run.pk,
        "action": house.refund.pk,
        "connection": house.connection.pk,
        "agentsecret": house.site.agentsecret_set.get().pk,
        "customer": house.customer.customer_id,
        "site": house.site.pk,
    }
    address = reverse(f"admin:acciones_{model}_change", args=[keys[model]])
    client = entered(house.outsider)
    assert client.get(address).status_code in {302, 404}
    answer = client.post(address, {"name": "robbed"})
    assert answer.status_code in {302, 403, 404}
    house.site.refresh_from_db()
    assert house.site.name == "Tienda"


@pytest.mark.parametrize("role", ["teammate", "viewer"])
@pytest.mark.parametrize("model", ["action", "connection", "agentsecret", "site"])
def test_only_owners_change_settings(
    house: Cast, entered: As, model: str, role: str
) -> None:
    row = {
        "action": house.refund,
        "connection": house.connection,
        "agentsecret": house.site.agentsecret_set.get(),
        "site": house.site,
    }[model]
    client = entered(getattr(house, role))
    change = reverse(f"admin:acciones_{model}_change", args=[row.pk])
    # A secret's very existence is the owners' business
    refused = 404 if model == "agentsecret" else 403
    assert client.post(change, {"name": "x"}).status_code == refused
    add = client.post(reverse(f"admin:acciones_{model}_add"), {"name": "x"})
    assert add.status_code == 403


@pytest.mark.parametrize("role", ["owner", "teammate", "viewer"])
def test_history_has_no_way_to_change_or_delete_it(
    house: Cast, entered: As, role: str
) -> None:
    run = house.confirmed()
    client = entered(getattr(house, role))
    for page in ("change", "delete"):
        address = reverse(f"admin:acciones_run_{page}", args=[run.pk])
        assert client.post(address, {"state": "done"}).status_code == 403
    assert client.post(reverse("admin:acciones_run_add")).status_code == 403
    assert fresh(run).state == "awaiting_owner"


def test_looking_changes_nothing(house: Cast, entered: As) -> None:
    run = house.confirmed()
    client = entered(house.owner)
    for address in (
        reverse("admin:decide", args=[run.pk]),
        reverse("admin:review"),
        reverse("admin:bulk"),
    ):
        query = {"verdict": "approve", "digest": run.digest, "run": f"{run.pk}:x"}
        assert client.get(address, query).status_code == 405
        assert client.head(address, query).status_code == 405
    secret = house.site.agentsecret_set.get()
    end = reverse("admin:acciones_agentsecret_end", args=[secret.pk])
    assert client.get(end).status_code == 403
    assert fresh(run).state == "awaiting_owner"
    secret.refresh_from_db()
    assert secret.ends is None


def test_a_decision_without_a_csrf_token_is_refused(house: Cast) -> None:
    run = house.confirmed()
    client = Client(enforce_csrf_checks=True)
    client.force_login(house.owner.user)
    answer = client.post(
        reverse("admin:decide", args=[run.pk]),
        {"verdict": "approve", "digest": run.digest},
    )
    assert answer.status_code == 403
    assert fresh(run).state == "awaiting_owner"
