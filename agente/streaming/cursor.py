"""Where a reader left off, as it says so itself: checked before anything is read."""

import re

from acciones.errors import MayaError

from .scope import Scope

NUMBER = re.compile(r"[0-9]{1,18}")


class BadCursor(MayaError):
    """El punto desde el que quieres seguir no es válido."""

    code, status = "bad_cursor", 400


def parse(scope: Scope, text: str) -> int:
    """Return the place that ``<scope>:<number>``, or a bare number, names.

    Nothing at all is the beginning. Raises ``BadCursor`` for another scope's cursor
    and for anything else that is not one.
    """
    if not text:
        return 0
    owner, colon, number = text.rpartition(":")
    if not NUMBER.fullmatch(number):
        raise BadCursor
    if colon and owner != (scope.run_id or scope.conversation_id):
        raise BadCursor
    return int(number)


def check(value: object) -> int:
    """Return a cursor that came as a JSON number; raises ``BadCursor``."""
    is_number = isinstance(value, int) and not isinstance(value, bool)
    if not is_number or not NUMBER.fullmatch(str(value)):
        raise BadCursor
    return int(str(value))
