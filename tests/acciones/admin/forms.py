"""Admin forms as a browser would send them back."""

from typing import Any

from django.urls import reverse

from tests.acciones.cast import Cast


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


def rotate(client: Any, **more: Any) -> Any:
    address = reverse("admin:acciones_agentsecret_add")
    start = client.get(address).context["form"].initial
    form = {"site": start["site"].pk, "overlap": "24", "newest": start["newest"]}
    return client.post(address, form | more)


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


def publish(client: Any, address: str, form: dict[str, Any], **more: Any) -> Any:
    """Review an edited action and publish it, as the two pages' buttons do."""
    review = client.post(address, form)
    assert review.status_code == 200
    if "step" not in review.context:
        return review  # the form came back with what is wrong
    return client.post(address, form | {"_publish": "1"}, **more)
