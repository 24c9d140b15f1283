"""The owner's pages on a long history: ``make bench NAME=inbox``.

Fills a database of its own with 1,000,000 runs of one site, 10,000 of them waiting,
and opens the inbox and the runs list as the owner and as support, through the whole
Django stack. Prints a table for people and, last, one JSON object of the owner's
figures: queries, and milliseconds at the database (the median of some rounds).
"""

import json
import os
import statistics
import sys
import time
from typing import Any

import django
import psycopg
from django.core.management import call_command

from maya.lib.servers import ensure_database

RUNS, WAITING = 1_000_000, 10_000
PEOPLE = 10_000
ROUNDS = 7
DATABASE = "bench_inbox"

FILL = """
INSERT INTO acciones_customer (site_id, external_id, email, name, seen)
SELECT %(site)s, 'customer-' || n, '', 'Cliente ' || n, now()
FROM generate_series(1, %(people)s) n;

INSERT INTO acciones_visitor (id, site_id, customer_id, token_hash, created)
SELECT md5('v' || c.id)::uuid, c.site_id, c.id, md5('t' || c.id) || md5('u' || c.id),
       now()
FROM acciones_customer c;

INSERT INTO acciones_conversation
    (id, site_id, visitor_id, rehearsal, position, created)
SELECT md5('c' || v.id)::uuid, v.site_id, v.id, false, 0, now() FROM acciones_visitor v;

CREATE TEMP TABLE people AS
SELECT row_number() OVER () - 1 AS n, v.id AS visitor, v.customer_id AS customer,
       c.id AS conversation
FROM acciones_visitor v JOIN acciones_conversation c ON c.visitor_id = v.id;
CREATE INDEX ON people (n);

INSERT INTO acciones_run (id, site_id, conversation_id, visitor_id, action_id, target,
    digest, state, seq, needs_owner, quorum, approvals, expires_at, attempts, reads,
    reason, message, reference, effect, created, confirmed_at, decided_at, finished_at,
    certain, trace)
SELECT md5('r' || made.n)::uuid, %(site)s, p.conversation, p.visitor, %(action)s,
       'order:' || made.n, md5('d' || made.n) || md5('e' || made.n), state,
       2, true, 1, 0,
       CASE state WHEN 'awaiting_owner' THEN now() + interval '1 day' ELSE at END,
       0, 0, '', '', CASE state WHEN 'done' THEN 'R-' || made.n ELSE '' END, '',
       at, at + interval '1 minute',
       CASE state WHEN 'awaiting_owner' THEN NULL ELSE at + interval '5 minutes' END,
       CASE state WHEN 'awaiting_owner' THEN NULL ELSE at + interval '6 minutes' END,
       CASE state WHEN 'failed' THEN made.n %% 3 <> 0 END, ''
FROM (
    SELECT n, now() - n * interval '40 seconds' AS at,
           CASE WHEN n <= %(waiting)s THEN 'awaiting_owner'
                ELSE (ARRAY['done', 'done', 'done', 'failed', 'rejected', 'expired'])
                     [1 + n %% 6] END AS state
    FROM generate_series(1, %(runs)s) n
) AS made JOIN people p ON p.n = made.n %% %(people)s;

INSERT INTO acciones_proposal (run_id, version, input, target_kind, target_ref,
    amount_minor, currency, exponent, customer_id, observed, body, digest)
SELECT r.id, 1, '{"order_id": "1", "amount": "79.00"}', 'order', '1', 7900, 'EUR', 2,
       v.customer_id, '[]', '{"version":1}', r.digest
FROM acciones_run r JOIN acciones_visitor v ON v.id = r.visitor_id;

ANALYZE;
"""


def main() -> int:
    """Build the data once, then measure."""
    os.environ["DATABASE_URL"] = ensure_database(os.environ["DATABASE_URL"], DATABASE)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    django.setup()
    call_command("migrate", verbosity=0)
    members = _people()
    print(f"{'page':<22}{'who':<10}{'queries':>8}{'db ms':>9}{'page ms':>9}")
    figures: dict[str, float] = {}
    for page, address in PAGES.items():
        for who, user in members.items():
            queries, database, whole = _measure(user, address)
            print(f"{page:<22}{who:<10}{queries:>8}{database:>9.1f}{whole:>9.1f}")
            if who == "owner" and page in {"inbox", "runs"}:
                figures |= {f"{page}_queries": queries, f"{page}_db_ms": database}
    print(json.dumps({key: round(value, 1) for key, value in figures.items()}))
    return 0


PAGES = {
    "inbox": "/admin/aprobaciones/",
    "inbox, by customer": "/admin/aprobaciones/?q=customer-77",
    "runs": "/admin/acciones/run/",
    "runs, uncertain": "/admin/acciones/run/?estado=incierto",
    "runs, by customer": "/admin/acciones/run/?q=customer-77",
    "home": "/admin/",
}


def _people() -> dict[str, Any]:
    """Return the owner and support; fills the database if nobody has yet."""
    from django.contrib.auth.models import User  # noqa: PLC0415  needs loaded apps

    from acciones.models import Member, Run  # noqa: PLC0415
    from tests.acciones.cast import assemble  # noqa: PLC0415

    if Run.objects.count() < RUNS:
        started = time.monotonic()
        call_command("flush", interactive=False, verbosity=0)  # what an end cut short
        cast = assemble("https://shop.example")
        _fill(cast.site.pk, cast.refund.pk)
        User.objects.create_superuser("support")
        print(f"{RUNS:,} runs built in {time.monotonic() - started:.0f} s")
    owner = Member.objects.get(role="owner", site__public_id="tienda")
    return {"owner": owner.user, "support": User.objects.get(username="support")}


def _fill(site: int, action: int) -> None:
    values = {
        "site": site,
        "action": action,
        "people": PEOPLE,
        "runs": RUNS,
        "waiting": WAITING,
    }
    with psycopg.ClientCursor(
        psycopg.connect(os.environ["DATABASE_URL"], autocommit=True)
    ) as cursor:
        cursor.execute(FILL.encode(), values)
        cursor.execute("VACUUM ANALYZE")


def _measure(user: Any, address: str) -> tuple[int, float, float]:
    """Return queries, and median milliseconds at the database and in all."""
    from django.db import connection  # noqa: PLC0415  needs loaded apps
    from django.test import Client  # noqa: PLC0415
    from django.test.utils import CaptureQueriesContext  # noqa: PLC0415

    client = Client(headers={"host": "127.0.0.1"})
    client.force_login(user)
    counts, database, whole = [], [], []
    for _ in range(ROUNDS):
        started = time.monotonic()
        with CaptureQueriesContext(connection) as queries:
            answer = client.get(address)
        whole.append((time.monotonic() - started) * 1000)
        if answer.status_code != 200:
            raise RuntimeError(f"{address} answered {answer.status_code}")
        counts.append(len(queries))
        database.append(sum(float(query["time"]) for query in queries) * 1000)
    return max(counts), statistics.median(database), statistics.median(whole)


if __name__ == "__main__":
    sys.exit(main())
