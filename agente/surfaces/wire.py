"""Reads a click as the client sends it: the seed's object, made valid A2UI."""

from dataclasses import dataclass
from typing import Any

from a2ui.core.schema.v0_9.client_to_server import A2uiClientActionMessage
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from pydantic import ValidationError

from acciones.errors import BadInput
from maya.lib import canonical

from .catalogue import VERSION

VERSIONS = (None, VERSION, "v0.9.1")
MAXIMUM_KEY = 128
"""Characters of an idempotency key, as in the seed's table."""
MAXIMUM_NAME = 100


@dataclass(frozen=True)
class Click:
    """One user action on a surface; ``key`` is empty when none was sent."""

    name: str
    surface_id: str
    component_id: str
    context: dict[str, Any]
    key: str

    def told(self) -> dict[str, Any]:
        """Return the click as its event tells it."""
        return {
            "name": self.name,
            "surface_id": self.surface_id,
            "component_id": self.component_id,
            "context": self.context,
        }


def read(action: dict[str, Any], version: str | None) -> Click:
    """Return the click; raises ``BadInput``.

    A missing version or timestamp is filled in, and the key is taken out before the
    official model, which knows none.
    """
    if version not in VERSIONS:
        raise BadInput("Esa versión de A2UI no se admite: usa v0.9.")
    fields = dict(action)
    key = fields.pop("idempotencyKey", "")
    if not isinstance(key, str) or len(key) > MAXIMUM_KEY:
        raise BadInput("«idempotencyKey» debe ser un texto de hasta 128 caracteres.")
    fields.setdefault("timestamp", timezone.now().isoformat())
    if not _is_time(fields["timestamp"]):
        raise BadInput("«timestamp» debe ser una fecha ISO 8601.")
    try:
        read = A2uiClientActionMessage.model_validate(
            {"version": VERSION, "action": fields}, by_alias=True, by_name=False
        ).action
    except ValidationError as error:
        where = ".".join(str(step) for step in error.errors()[0]["loc"])
        raise BadInput(f"La acción no es válida en «{where}».") from error
    try:
        canonical.dumps(read.context)
    except ValueError as error:
        # Numbers that JSON readers disagree about cannot be hashed, nor meant
        raise BadInput("Hay un número que no podemos representar.") from error
    names = (read.name, read.surface_id, read.source_component_id)
    if not all(0 < len(name) <= MAXIMUM_NAME for name in names):
        raise BadInput("Los nombres de la acción no pueden faltar ni ser tan largos.")
    return Click(*names, context=read.context, key=key)


def _is_time(value: object) -> bool:
    try:
        return isinstance(value, str) and parse_datetime(value) is not None
    except ValueError:
        return False
