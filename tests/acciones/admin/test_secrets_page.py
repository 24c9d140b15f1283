"""Secrets of the agent: made, shown once, ended."""

from django.urls import reverse

from acciones.models import AgentSecret
from tests.acciones.cast import SECRET, Cast

from .conftest import As
from .forms import rotate


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
