"""Drafts of actions: kept, in conflict, thrown away, published with open eyes."""

import json
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from acciones.models import Action, ActionVersion, Run
from tests.acciones.cast import Cast, fresh, talk

from .conftest import As
from .forms import errors, form_of, publish


def save(client: Client, house: Cast, fields: dict[str, Any], **more: Any) -> Any:
    """Send what an editor's script sends; without ``etag``, what is there now."""
    page = client.get(reverse("admin:acciones_action_change", args=[house.refund.pk]))
    sent = {
        "etag": page.context["adminform"].form.stored,
        "page": "one",
        "number": 1,
        "fields": {name: str(value) for name, value in fields.items()},
    }
    return client.post(
        reverse("admin:acciones_action_draft", args=[house.refund.pk]),
        json.dumps(sent | more),
        content_type="application/json",
    )


def typed(client: Client, house: Cast) -> dict[str, Any]:
    return form_of(client, "admin:acciones_action_change", house.refund.pk)[1]


def test_a_draft_is_kept_and_changes_nothing_for_anybody(
    house: Cast, entered: As
) -> None:
    client = entered(house.owner)
    fields = typed(client, house) | {"quorum": "2", "inputs-2-name": "note"}
    answer = save(client, house, fields)
    assert answer.status_code == 200
    assert answer.json()["errors"] == []
    assert '"note"' in answer.json()["tool"]
    action = Action.objects.get(pk=house.refund.pk)
    assert (action.quorum, action.version, len(action.inputs)) == (1, 1, 2)
    page = client.get(reverse("admin:acciones_action_change", args=[action.pk]))
    form = page.context["adminform"].form
    assert form["quorum"].value() == "2"
    assert [row["name"] for row in form["inputs"].value()][-1] == "note"
    assert form["input_schema"].value() == "{}"
    assert "Ves un borrador de" in page.content.decode()
    # A viewer sees what is published
    seen = entered(house.viewer).get(page.request["PATH_INFO"]).content.decode()
    assert "Ves un borrador" not in seen


def test_a_draft_says_what_keeps_it_from_being_published(
    house: Cast, entered: As
) -> None:
    client = entered(house.owner)
    answer = save(client, house, typed(client, house) | {"path": "nowhere"})
    assert answer.status_code == 200
    assert any("empieza por" in error for error in answer.json()["errors"])


def test_two_editors_get_a_conflict_and_no_silent_overwrite(
    house: Cast, entered: As
) -> None:
    mine, theirs = entered(house.owner), entered(house.owner)
    fields = typed(mine, house)
    seen = fields["etag"]
    assert (
        save(theirs, house, fields | {"title": "Suya"}, page="two").status_code == 200
    )
    refused = save(mine, house, fields | {"title": "Mía"}, etag=seen)
    assert refused.status_code == 409
    assert refused.json()["who"] == house.owner.user.get_username()
    kept = fresh_draft(house)
    assert kept["title"] == "Suya"
    insisted = save(mine, house, fields | {"title": "Mía"}, etag=refused.json()["etag"])
    assert insisted.status_code == 200
    assert fresh_draft(house)["title"] == "Mía"


def test_a_publication_by_somebody_else_is_a_conflict_too(
    house: Cast, entered: As
) -> None:
    client = entered(house.owner)
    address, form = form_of(client, "admin:acciones_action_change", house.refund.pk)
    assert save(client, house, form | {"title": "Antes"}).status_code == 200
    publish(client, address, typed(client, house) | {"title": "Publicada"})
    late = save(client, house, form | {"title": "Tarde"}, etag=form["etag"], number=2)
    assert late.status_code == 409
    shown = client.post(address, form | {"title": "Tarde", "_publish": "1"})
    assert "Otra persona" in errors(shown)
    assert Action.objects.get(pk=house.refund.pk).title == "Publicada"
    now = shown.context["adminform"].form.stored
    publish(client, address, form | {"title": "Tarde", "overwrite": now})
    assert Action.objects.get(pk=house.refund.pk).title == "Tarde"


def test_an_answer_lost_on_the_way_is_no_conflict_with_oneself(
    house: Cast, entered: As
) -> None:
    client = entered(house.owner)
    fields = typed(client, house)
    seen = fields["etag"]
    first = fields | {"title": "Uno"}
    assert save(client, house, first, etag=seen).status_code == 200
    # The page never heard that; it goes on from what it knew
    assert save(client, house, first, etag=seen, number=2).status_code == 200
    second = save(client, house, fields | {"title": "Dos"}, etag=seen, number=3)
    assert second.status_code == 200
    # A save that was overtaken on the way arrives last, and changes nothing
    late = save(client, house, first, etag=seen, number=1)
    assert (late.status_code, fresh_draft(house)["title"]) == (200, "Dos")


def test_publishing_says_first_whose_proposals_fall(house: Cast, entered: As) -> None:
    offered = house.offer(conversation=talk(house.site, house.customer))
    client = entered(house.owner)
    address, form = form_of(client, "admin:acciones_action_change", house.refund.pk)
    review = client.post(address, form | {"quorum": "2"})
    assert review.context["step"].falls == 1
    assert str(offered.pk) in review.content.decode()
    assert "Publicar la versión 2" in review.content.decode()
    assert Action.objects.get(pk=house.refund.pk).version == 1
    assert ActionVersion.objects.filter(action=house.refund).count() == 1
    # A change of the title alone makes no version, and nobody's proposal falls
    review = client.post(address, form | {"title": "Otro título"})
    assert (review.context["step"].falls, review.context["step"].version) == (0, None)
    off = {key: value for key, value in form.items() if key != "enabled"}
    step = client.post(address, off).context["step"]
    assert (step.falls, step.is_switched_off) == (1, True)
    assert fresh(offered).state == Run.State.REQUESTED


def test_publishing_ends_the_draft(house: Cast, entered: As) -> None:
    client = entered(house.owner)
    save(client, house, typed(client, house) | {"quorum": "3"})
    address, form = form_of(client, "admin:acciones_action_change", house.refund.pk)
    assert publish(client, address, form).status_code == 302
    action = Action.objects.get(pk=house.refund.pk)
    assert (action.quorum, action.version, action.draft) == (3, 2, {})


def test_a_draft_is_thrown_away_by_post_alone(house: Cast, entered: As) -> None:
    client = entered(house.owner)
    save(client, house, typed(client, house) | {"quorum": "3"})
    address = reverse("admin:acciones_action_discard", args=[house.refund.pk])
    assert client.get(address).status_code == 403
    client.post(address, {"etag": "stale"})
    assert fresh_draft(house)
    client.post(address, {"etag": typed(client, house)["etag"]})
    assert fresh_draft(house) == {}


@pytest.mark.parametrize("who", ["teammate", "viewer", "outsider"])
def test_only_owners_write_drafts(house: Cast, entered: As, who: str) -> None:
    form = typed(entered(house.owner), house)
    client = entered(getattr(house, who))
    address = reverse("admin:acciones_action_draft", args=[house.refund.pk])
    sent = {"etag": form["etag"], "page": "p", "number": 1, "fields": {"title": "x"}}
    answer = client.post(address, json.dumps(sent), content_type="application/json")
    assert answer.status_code in {403, 404}
    assert client.post(
        reverse("admin:acciones_action_change", args=[house.refund.pk]), form
    ).status_code in {302, 403}
    assert fresh_draft(house) == {}


def test_a_draft_needs_the_token_of_the_page(house: Cast) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(house.owner.user)
    assert save(client, house, {"title": "x"}).status_code == 403


@pytest.mark.parametrize(
    "sent",
    ["{", "[]", '{"etag": "x"}', '{"etag":"x","page":"p","number":1,"fields":{"a":1}}'],
)
def test_what_is_no_draft_is_refused(house: Cast, entered: As, sent: str) -> None:
    client = entered(house.owner)
    address = reverse("admin:acciones_action_draft", args=[house.refund.pk])
    assert client.get(address).status_code == 403
    answer = client.post(address, sent, content_type="application/json")
    assert answer.status_code == 400


def fresh_draft(house: Cast) -> dict[str, str]:
    draft = Action.objects.get(pk=house.refund.pk).draft
    fields: dict[str, str] = draft.get("fields", {})
    return fields
