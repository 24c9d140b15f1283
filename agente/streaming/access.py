"""Who reads, and what of it is theirs: one query, without the ORM.

A conversation of somebody else and one that does not exist give the same answer.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from django.http import parse_cookie

from acciones.errors import Forbidden, MayaError, NotFound, SessionRequired
from acciones.visitors import hashed
from maya.lib.origins import host_of, is_ours

from . import pool
from .scope import Scope

COOKIE = "maya_visitor_"

# The visitor's row is there whether or not the conversation is theirs; a run or a turn
# is looked up first, then counts only inside a conversation of this visitor.
VISITOR = """
SELECT v.token_hash, v.id::text, s.public_id, s.allowed_origins, c.id::text,
    c.position, r.seq,
    array(SELECT t.id::text FROM agente_turn t WHERE t.conversation_id = c.id
        AND t.state IN ('queued', 'thinking', 'using_tool', 'answering')
        ORDER BY t.position)
FROM acciones_visitor v
JOIN acciones_site s ON s.id = v.site_id
LEFT JOIN LATERAL (
    SELECT conversation_id, seq FROM agente_turn WHERE id = %(run)s
    UNION ALL
    SELECT conversation_id, seq FROM acciones_run WHERE id = %(run)s
) r ON true
LEFT JOIN acciones_conversation c ON c.visitor_id = v.id
    AND c.id = coalesce(%(conversation)s, r.conversation_id)
WHERE v.token_hash = ANY(%(hashes)s) AND v.ended IS NULL
"""


class BadHost(MayaError):
    """Esta dirección no es de aquí."""

    code, status = "bad_host", 400


@dataclass(frozen=True, slots=True)
class Caller:
    """What a request says about its sender, before any of it is believed.

    ``tokens`` maps each token to the site whose cookie it came in, or to None for
    a bearer token. ``origin`` is the page it came from, None where nothing says so.
    """

    tokens: Mapping[str, str | None]
    origin: str | None
    host: str
    is_same_origin: bool

    @classmethod
    def of(cls, scope: Mapping[str, Any]) -> "Caller":
        """Read the headers of an ASGI scope; raises ``BadHost``."""
        headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
        host = headers.get(b"host", "").lower()
        if not is_ours(host):
            raise BadHost
        origin = headers.get(b"origin")
        bearer = headers.get(b"authorization", "")
        if bearer[:7].lower() == "bearer ":
            tokens: dict[str, str | None] = {bearer[7:].strip(): None}
        else:
            tokens = _cookies(headers.get(b"cookie", ""))
        return cls(tokens, origin, host, _is_same(headers, origin, host, scope))


@dataclass(frozen=True, slots=True)
class Visit:
    """A visitor who is who they say, and the scope if it is theirs."""

    visitor_id: str
    site: str
    allowed_origins: list[str] = field(default_factory=list)
    scope: Scope | None = None


async def visit(
    caller: Caller,
    *,
    site: str | None = None,
    conversation: str | None = None,
    run: str | None = None,
) -> Visit:
    """Return who calls, and the scope if it is theirs.

    ``site`` asks for a visitor of that site alone. Raises ``SessionRequired``, and
    ``Forbidden`` for a cookie that another site's page sent along.
    """
    by_hash = {hashed(token): site for token, site in caller.tokens.items()}
    if not by_hash:
        raise SessionRequired
    if any(by_hash.values()) and not caller.is_same_origin:
        raise Forbidden
    found = await pool.rows(
        VISITOR,
        {
            "hashes": list(by_hash),
            "conversation": _uuid(conversation),
            "run": _uuid(run),
        },
    )
    # A cookie counts for the site that it is named after, a bearer token for its own
    visits = [
        _visit(row, run)
        for row in found
        if by_hash[row[0]] in (None, row[2]) and site in (None, row[2])
    ]
    if not visits:
        raise SessionRequired
    return next((one for one in visits if one.scope), visits[0])


async def read(
    caller: Caller, *, conversation: str | None = None, run: str | None = None
) -> Scope:
    """Return what a caller may read; raises ``NotFound`` for all that is not theirs."""
    visitor = await visit(caller, conversation=conversation, run=run)
    if visitor.scope is None:
        raise NotFound
    return visitor.scope


def _visit(row: tuple[Any, ...], run: str | None) -> Visit:
    _, visitor_id, site, origins, conversation_id, position, seq, open_turns = row
    scope = None
    if conversation_id is not None:
        scope = Scope(
            conversation_id=conversation_id,
            run_id=_uuid(run),
            last=position if run is None else seq,
            position=position,
            open_turns=tuple(open_turns),
        )
    return Visit(visitor_id, site, origins, scope)


def _uuid(text: str | None) -> str | None:
    """Return an id in the database's spelling; one that is none matches nothing."""
    if text is None:
        return None
    try:
        return str(UUID(text))
    except ValueError:
        return str(UUID(int=0))


def _cookies(header: str) -> dict[str, str | None]:
    return {
        token: name.removeprefix(COOKIE)
        for name, token in parse_cookie(header).items()
        if name.startswith(COOKIE)
    }


def _is_same(
    headers: Mapping[bytes, str],
    origin: str | None,
    host: str,
    scope: Mapping[str, Any],
) -> bool:
    """Say whether a cookie may count: the request comes from a page of this host.

    Browsers send ``Origin`` with each POST and WebSocket; a same-origin EventSource
    has none, and another site's page cannot read the answer to such a GET.
    """
    if origin is not None:
        return host_of(origin) == host
    sender = headers.get(b"sec-fetch-site")
    if sender is not None:
        return sender in ("same-origin", "none")
    return scope.get("method") == "GET"
