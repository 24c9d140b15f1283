"""Ask: read back from the owner's system what became of a run."""

import logging

from acciones.errors import MayaError
from acciones.executors import lookup
from acciones.executors.answer import Outcome, from_value, problem
from acciones.models import Run
from acciones.readers import FOUND, NOT_FOUND
from maya.lib import background

logger = logging.getLogger(__name__)


def ask(run: Run) -> Outcome | None:
    """Use the action's status lookup.

    Returns what the system knows; an ``uncertain`` outcome when it could not be
    asked; None when there is no lookup, or it never saw the key.
    """
    if run.action.status_lookup is None or not run.action.status_lookup.enabled:
        return None
    given = {"run_id": str(run.pk)}
    try:
        reading = background.run(
            lookup.read(run.action.status_lookup, given, run.conversation)
        )
    except MayaError as error:
        # Declared so that it takes no run: as good as silent, and it must not loop
        return Outcome("uncertain", detail=error.code)
    except Exception as error:
        logger.exception("the status lookup broke")
        return Outcome("uncertain", detail=type(error).__name__)
    if reading.status == NOT_FOUND:
        return None
    if reading.status != FOUND or problem(reading.data, "done", "pending", "failed"):
        return Outcome("uncertain", detail=reading.detail or "outside the schema")
    return from_value(reading.data)
