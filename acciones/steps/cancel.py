"""Cancel: the customer's no to an offer."""

from uuid import UUID

from acciones import events
from acciones.errors import NotFound
from acciones.models import Run, Visitor

from .lost import explain


def cancel(run_id: UUID | str, visitor: Visitor) -> Run:
    """Cancel an open offer; raises ``NotFound``, ``Expired`` or ``WrongState``."""
    if not Run.objects.filter(pk=run_id, visitor=visitor).exists():
        raise NotFound
    row = events.transition(
        run_id,
        to=Run.State.CANCELLED,
        sources=[Run.State.REQUESTED],
        where="AND expires_at > clock_timestamp()",
        sets={"finished_at": "clock_timestamp()", "reason": "'customer'"},
        type="run.status",
        payload={"status": Run.State.CANCELLED, "reason": "customer"},
    )
    if row is None:
        explain(run_id)
    return Run.objects.get(pk=run_id)
