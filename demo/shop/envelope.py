"""Open a signed request: the exact fields of the contract and nothing else."""

import json
import uuid
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from demo.shop.refusal import Refusal

VERSION = 1
PERSON_FIELDS = {"id", "email", "name"}


@dataclass(frozen=True, slots=True)
class Call:
    """One verified request: what is asked, with which input, for which customer."""

    name: str
    run_id: str
    input: dict[str, str]
    customer: str | None


def open_change(
    body: bytes,
    *,
    site: str,
    action: str,
    key: bytes,
    needs: Collection[str],
    allows: Collection[str] = (),
) -> Call:
    """Return the change that a verified body asks for.

    The idempotency header is not signed, so it has to agree with both ids inside the
    signed body; a replay under a fresh key would otherwise run the change twice.
    """
    asked = _object(body)
    fields = {"version", "action", "runId", "requestId", "siteId", "input", "customer"}
    _exactly(asked, fields)
    run_id = _uuid(asked["runId"])
    if asked["requestId"] != run_id or key != run_id.encode():
        raise Refusal(400, "key_mismatch", "The key and both ids are not the same.")
    return _call(asked, "action", action, site, run_id, needs, allows)


def open_lookup(body: bytes, *, site: str, lookup: str, needs: Collection[str]) -> Call:
    """Return the lookup that a verified body asks for."""
    asked = _object(body)
    fields = {"version", "lookup", "requestId", "siteId", "input", "customer"}
    _exactly(asked, fields)
    return _call(asked, "lookup", lookup, site, _uuid(asked["requestId"]), needs, ())


def _call(
    asked: dict[str, Any],
    kind: str,
    name: str,
    site: str,
    run_id: str,
    needs: Collection[str],
    allows: Collection[str],
) -> Call:
    if asked["version"] is True or asked["version"] != VERSION:
        raise Refusal(400, "version", "Only version 1 is understood.")
    if asked["siteId"] != site:
        raise Refusal(403, "wrong_site", "That is another site's request.")
    if asked[kind] != name:
        raise Refusal(403, f"wrong_{kind}", f"This address answers {name} only.")
    given = _input(asked["input"], needs, allows)
    return Call(name, run_id, given, _customer(asked["customer"]))


def _object(body: bytes) -> dict[str, Any]:
    try:
        asked = json.loads(
            body.decode("utf-8"),
            object_pairs_hook=_no_duplicates,
            parse_constant=_no_constant,
        )
    except (ValueError, RecursionError) as error:
        raise Refusal(400, "bad_json", "The body is not strict JSON.") from error
    if not isinstance(asked, dict):
        raise Refusal(400, "bad_json", "The body is not a JSON object.")
    return asked


def _no_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) != len(pairs):
        raise ValueError("duplicate key")
    return fields


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is not JSON")


def _exactly(asked: dict[str, Any], fields: set[str]) -> None:
    if asked.keys() != fields:
        raise Refusal(400, "bad_fields", "Fields are missing or unknown.")


def _uuid(value: object) -> str:
    try:
        if isinstance(value, str) and str(uuid.UUID(value)) == value:
            return value
    except ValueError:
        pass
    raise Refusal(400, "bad_id", "The id is not a UUID.")


def _input(
    given: object, needs: Collection[str], allows: Collection[str]
) -> dict[str, str]:
    if not isinstance(given, dict) or not {*needs} <= given.keys() <= {*needs, *allows}:
        raise Refusal(400, "bad_input", "The input is not the declared one.")
    for value in given.values():
        if not isinstance(value, str) or value != value.strip():
            raise Refusal(400, "bad_input", "Every input is a trimmed string.")
    return given


def _customer(person: object) -> str | None:
    if person is None:
        return None
    if not isinstance(person, dict) or not person.keys() <= PERSON_FIELDS:
        raise Refusal(400, "bad_customer", "The customer has unknown fields.")
    if not person.get("id") or not all(isinstance(v, str) for v in person.values()):
        raise Refusal(400, "bad_customer", "The customer has no id.")
    return str(person["id"])
