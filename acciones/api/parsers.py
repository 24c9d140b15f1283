"""Reads JSON bodies strictly."""

from collections.abc import Mapping
from typing import Any

from rest_framework.exceptions import ParseError
from rest_framework.parsers import BaseParser
from rest_framework.request import Request

from acciones.errors import BadInput, TooLarge
from maya.lib import canonical

MAXIMUM_BYTES = 64 * 1024


class StrictJSONParser(BaseParser):
    """JSON objects of at most 64 KiB; no duplicate keys, no NaN."""

    media_type = "application/json"

    def parse(
        self,
        stream: Any,
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> dict[str, Any]:
        """Return the object; raises ``TooLarge`` or ``BadInput``."""
        raw = stream.read(MAXIMUM_BYTES + 1)
        if len(raw) > MAXIMUM_BYTES:
            raise TooLarge
        try:
            value = canonical.strict_loads(raw)
        except canonical.NotJSON as error:
            raise ParseError(str(error)) from error
        if not isinstance(value, dict):
            raise BadInput("El cuerpo debe ser un objeto JSON.")
        return value


def json_body(request: Request) -> dict[str, Any]:
    """Return the request's object; an empty body is an empty object."""
    data = request.data
    return dict(data) if isinstance(data, dict) else {}
