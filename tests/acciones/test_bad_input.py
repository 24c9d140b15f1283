"""What programs write that no browser would: an answer with a code, never a 500."""

import pytest
from django.test import Client

from acciones.errors import BadInput
from acciones.models import Customer, Run
from acciones.readers import FOUND, Reading
from acciones.steps.observe import observe
from acciones.steps.propose import propose

from .cast import Cast, fresh
from .test_api import ORIGIN, identity, post

NO_ORIGINS = ["http://[", "http://[::1", "//", "null", "http://\u212a"]


@pytest.mark.parametrize("origin", NO_ORIGINS)
def test_an_origin_that_is_none_is_another_page(cast: Cast, origin: str) -> None:
    run = cast.offer()
    client = Client()
    client.cookies["maya_visitor_tienda"] = cast.tokens["ana"]
    path, origin = f"/api/runs/{run.pk}/cancel", origin.encode().decode("latin-1")
    assert post(path, {}, client, origin=origin).status_code == 403
    opened = post("/api/sessions", {"sitio": "tienda"}, client, origin=origin)
    assert opened.json()["visitor"] != str(cast.customer.pk)
    assert fresh(run).state == Run.State.REQUESTED


def test_half_a_character_in_a_name_is_no_reason_to_stay_outside(cast: Cast) -> None:
    # JavaScript cuts a text in the middle of an emoji and signs what is left
    told = identity(name="Ana \ud83d", email="\x00ana@example.com\udc00")
    answer = post("/api/sessions", {"sitio": "tienda", "identity": told})
    assert answer.status_code == 200
    assert answer.json()["customer"] == {"id": "ana", "name": "Ana \ufffd"}


@pytest.mark.parametrize("subject", ["a\ud83d", "a\x00", "\udc00"])
def test_half_a_character_is_nobody(cast: Cast, subject: str) -> None:
    told = identity(subject)
    answer = post("/api/sessions", {"sitio": "tienda", "identity": told})
    assert (answer.status_code, answer.json()["code"]) == (401, "identity_refused")
    assert not Customer.objects.filter(external_id__startswith="a\ufffd").exists()


def test_a_session_of_no_site_cannot_be_ended(cast: Cast) -> None:
    answer = Client().delete("/api/sessions?sitio=%00", headers={"origin": ORIGIN})
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")


def test_a_reference_that_names_no_record_is_refused(cast: Cast) -> None:
    for action in (cast.refund, cast.get_order):
        action.inputs = [{"name": "order_id"}, {"name": "amount"}]
    arguments = {"order_id": "9" * 300, "amount": "79.00"}
    with pytest.raises(BadInput):
        propose(conversation=cast.conversation, action=cast.refund, arguments=arguments)
    with pytest.raises(BadInput):
        observe(
            conversation=cast.conversation,
            turn_id=None,
            action=cast.get_order,
            arguments={"order_id": "9" * 300},
            reading=Reading(FOUND, {"status": "delivered"}),
        )
    assert not Run.objects.exists()
