"""Runs in the admin: the list, its columns and its price; the timeline; the export."""

import csv
import io
import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from acciones.models import Attempt, AuditEntry, Callback, Run
from acciones.steps.reject import reject
from tests.acciones.cast import SECRET, Cast, talk

from .conftest import As

LIST = "admin:acciones_run_changelist"


def shown(client: Any, name: str, *args: Any, **query: Any) -> str:
    answer = client.get(reverse(name, args=args), query)
    assert answer.status_code == 200
    return str(answer.content.decode())


def settled(house: Cast, **values: Any) -> Run:
    """Return a run in some later state, as a long history would hold it."""
    run = house.approved(conversation=talk(house.site, house.customer))
    Run.objects.filter(pk=run.pk).update(**values)
    run.refresh_from_db()
    return run


def tried(run: Run, **more: Any) -> Attempt:
    return Attempt.objects.create(
        run=run,
        number=1,
        digest=run.digest,
        finished=timezone.now(),
        sent_headers={
            "content-type": "application/json",
            "x-maf-signature": "v1=" + "ab" * 32,
            "x-maf-idempotency-key": str(run.pk),
            "authorization": "Bearer token-of-the-owner",
        },
        **more,
    )


def test_the_list_has_the_seeds_columns(house: Cast, entered: As) -> None:
    settled(
        house, state="done", reference="R-4821", finished_at=timezone.now(), due_at=None
    )
    page = shown(entered(house.viewer), LIST)
    for word in ("completado", "R-4821", ">ana<", "79,00\u00a0EUR", "Confirmada"):
        assert word in page, word


def test_an_uncertain_failure_is_never_called_failed(house: Cast, entered: As) -> None:
    run = settled(house, state="failed", certain=False, finished_at=timezone.now())
    client = entered(house.owner)
    page = shown(client, LIST, estado="incierto")
    assert "no pudimos confirmar" in page
    detail = shown(client, "admin:acciones_run_change", run.pk)
    assert "Compruébalo antes de empezar otra" in detail
    assert ">fallido<" not in detail


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ({"estado": "queued"}, True),
        ({"estado": "done"}, False),
        ({"accion": "refund_order"}, True),
        ({"accion": "cancel_order"}, False),
        ({"sitio": "tienda"}, True),
        ({"sitio": "otra"}, False),
        ({"q": "ana"}, True),
        ({"q": "order:4821"}, True),
        ({"q": "luis"}, False),
    ],
)
def test_filters_and_search_narrow(
    house: Cast, entered: As, query: dict[str, str], found: bool
) -> None:
    run = house.approved()
    assert (str(run.pk) in shown(entered(house.owner), LIST, **query)) == found


def test_the_lists_cost_does_not_grow_with_the_rows(
    house: Cast, entered: As, support: User
) -> None:
    for number in range(6):
        house.confirmed(
            order=f"48{number}", conversation=talk(house.site, house.customer)
        )
    for who in (house.owner, support):
        client = entered(who)
        with CaptureQueriesContext(connection) as queries:
            shown(client, LIST)
        asked = [q for q in queries if not re.match(r"SAVEPOINT|RELEASE", q["sql"])]
        assert len(asked) <= 10, "\n".join(q["sql"][:200] for q in asked)


def test_the_timeline_shows_bytes_and_hides_secrets(house: Cast, entered: As) -> None:
    house.connection.headers = {"authorization": "Bearer token-of-the-owner"}
    house.connection.save()
    run = house.approved()
    tried(
        run,
        status_code=502,
        answer=f'{{"echo": "{SECRET}", "auth": "Bearer token-of-the-owner"}}',
        verdict="uncertain",
        detail="HTTP 502",
    )
    Callback.objects.create(
        run_id=str(run.pk),
        body=b'{"status":"done"}',
        timestamp="1700000000",
        signature="v1=" + "cd" * 32,
        status=403,
        code="forbidden",
    )
    page = shown(entered(house.owner), "admin:acciones_run_change", run.pk)
    for word in (
        "Se ofreció el cambio al cliente",
        f"La aprobó {house.owner.user.get_username()} desde el admin",
        "Intento 1: enviado",
        f"x-maf-idempotency-key: {run.pk}",
        "&quot;amount&quot;:&quot;79.00&quot;",
        "Intento 1: sin respuesta fiable",
        "HTTP 502",
        "Callback rechazado",
        "HTTP 403 · forbidden",
    ):
        assert word in page, word
    for secret in (SECRET, "token-of-the-owner", "ab" * 32, "cd" * 32):
        assert secret not in page


def test_the_timeline_is_in_the_order_of_events(house: Cast, entered: As) -> None:
    run = house.confirmed()
    reject(run.pk, member=house.teammate, surface="telegram", digest=run.digest)
    answer = entered(house.owner).get(
        reverse("admin:acciones_run_change", args=[run.pk])
    )
    facts = answer.context["facts"]
    assert [fact.at for fact in facts] == sorted(fact.at for fact in facts)
    assert facts[0].title == "Se ofreció el cambio al cliente"
    with CaptureQueriesContext(connection) as queries:
        answer.client.get(reverse("admin:acciones_run_change", args=[run.pk]))
    assert len(queries) <= 14


def test_the_export_is_a_table_without_formulas(house: Cast, entered: As) -> None:
    run = settled(
        house, state="done", reference="=1+1", finished_at=timezone.now(), due_at=None
    )
    client = entered(house.owner)
    rows = list(csv.DictReader(io.StringIO(shown(client, "admin:acciones_run_csv"))))
    assert [row["id"] for row in rows] == [str(run.pk)]
    assert rows[0]["referencia"] == "'=1+1"
    assert rows[0]["importe_minimo"] == "7900"
    none = shown(client, "admin:acciones_run_csv", estado="failed")
    assert list(csv.DictReader(io.StringIO(none))) == []


def test_the_export_holds_to_the_members_sites(
    house: Cast, entered: As, support: User
) -> None:
    run = house.confirmed()
    assert str(run.pk) not in shown(entered(house.outsider), "admin:acciones_run_csv")
    assert str(run.pk) in shown(entered(support), "admin:acciones_run_csv")
    assert AuditEntry.objects.get(kind="view").note == "csv: 1"


def test_home_counts_what_waits_and_what_is_unclear(house: Cast, entered: As) -> None:
    house.confirmed(order="1")
    settled(house, state="failed", certain=False, finished_at=timezone.now())
    run = settled(
        house, state="done", finished_at=timezone.now(), due_at=None, target="order:2"
    )
    tried(run, status_code=200, answer="{}", verdict="done")
    figures = entered(house.owner).get(reverse("admin:index")).context["figures"]
    assert (figures.waiting, figures.uncertain_count) == (1, 1)
    assert figures.chart.total == 2
    assert figures.median
    [endpoint] = figures.endpoints
    assert (endpoint["sent"], endpoint["answered"], endpoint["uncertain"]) == (1, 1, 0)
    nothing = entered(house.outsider).get(reverse("admin:index"))
    assert nothing.context["figures"].waiting == 0
    assert nothing.context["figures"].chart.total == 0
    assert "Conecta tu endpoint" in nothing.content.decode()


def test_home_is_cheap(house: Cast, entered: As) -> None:
    client = entered(house.owner)
    with CaptureQueriesContext(connection) as queries:
        client.get(reverse("admin:index"))
    assert len(queries) <= 10
