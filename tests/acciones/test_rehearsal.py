"""A rehearsal's way out is closed for changes, whatever the rows say."""

import pytest

from acciones.executors import lookup, webhook
from acciones.models import Run
from acciones.steps.approve import approve
from acciones.steps.confirm import confirm
from acciones.steps.dispatch import dispatch
from acciones.tokens import issue
from maya.lib import background, http, mcp, outgoing

from .cast import Cast, fresh, talk
from .conftest import Shop


def test_a_run_forced_through_every_step_still_sends_nothing(
    cast: Cast, shop: Shop
) -> None:
    run = cast.offer(conversation=talk(cast.site, cast.customer))
    confirm(run.pk, cast.customer, token=issue(run))
    approve(run.pk, member=cast.owner, surface="admin", digest=run.digest)
    # As if every guard before it had failed: only the client itself is left
    run.conversation.rehearsal = True
    run.conversation.save(update_fields=["rehearsal"])
    dispatch(run.pk)
    run = fresh(run)
    assert (run.state, run.certain) == (Run.State.FAILED, True)
    assert shop.log() == []
    assert shop.refunds() == []
    [attempt] = run.tries.all()
    assert "ensayo" in attempt.detail


def test_the_clients_refuse_before_they_connect(shop: Shop) -> None:
    url = f"{shop.url}/agent/refund-order"
    server = mcp.Server(f"{shop.url}/mcp")
    with outgoing.closed():
        with pytest.raises(outgoing.Closed):
            background.run(http.post(url, body=b"{}", headers={}))
        with pytest.raises(outgoing.Closed):
            background.run(mcp.call_tool(server, "aplicar_plan_pago", {}))
        with outgoing.closed(False), pytest.raises(outgoing.Closed):
            background.run(http.post(url, body=b"{}", headers={}))
        outcome = background.run(webhook.change(url, b"{}", {}))
    assert outcome.verdict == "refused"
    assert shop.log() == []
    background.run(http.post(url, body=b"{}", headers={}))
    assert len(shop.log()) == 1


def test_reads_leave_a_rehearsal(cast: Cast, shop: Shop) -> None:
    conversation = talk(cast.site, cast.customer, rehearsal=True)
    with outgoing.closed():
        reading = background.run(
            lookup.read(cast.get_order, {"order_id": "4821"}, conversation)
        )
    assert reading.status == "found"
