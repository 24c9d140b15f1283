"""The owner's answer to a change, read strictly: the outer status alone decides.

Schema: seed 002, "Devuelve un resultado". Unknown fields are refused.
"""

from dataclasses import dataclass
from functools import cache
from typing import Any

from jsonschema import Draft202012Validator, FormatChecker

from maya.lib import canonical

SHORT, LONG = 200, 2000


def _text(limit: int) -> dict[str, Any]:
    return {"type": "string", "maxLength": limit}


def _object(required: dict[str, Any], **optional: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {**required, **optional},
        "required": list(required),
        "additionalProperties": False,
    }


CARD = _object(
    {
        "title": {**_text(SHORT), "minLength": 1},
        "fields": {
            "type": "array",
            "maxItems": 20,
            "items": _object({"label": _text(SHORT), "value": _text(LONG)}),
        },
    },
    kind={"const": "status"},
    status=_object(
        {
            "label": _text(SHORT),
            "tone": {"enum": ["neutral", "success", "warning", "danger"]},
        }
    ),
    reference=_text(SHORT),
    asOf=_text(SHORT),
    link=_object(
        {
            "label": _text(SHORT),
            "url": {
                "type": "string",
                "maxLength": LONG,
                "pattern": r"^https://[^\s/?#@\\]+([/?#][^\s\\]*)?$",
            },
        }
    ),
)


def change_schema(*statuses: str, run_id: bool = False) -> dict[str, Any]:
    """Return the schema of a change's answer, or of a callback with ``run_id``."""
    optional: dict[str, Any] = {
        "message": _text(LONG),
        "reference": _text(SHORT),
        "card": CARD,
    }
    if run_id:
        optional["runId"] = {"type": "string"}
    return _object({"status": {"enum": list(statuses)}}, **optional)


@dataclass(frozen=True)
class Outcome:
    """What an answer means for a run.

    ``verdict`` is ``done``, ``pending``, ``failed`` (the owner's system says so),
    ``refused`` (4xx) or ``uncertain`` (nothing is known).
    """

    verdict: str
    message: str = ""
    reference: str = ""
    card: dict[str, Any] | None = None
    status_code: int | None = None
    answer: str = ""
    detail: str = ""


@cache
def _validator(*statuses: str, run_id: bool = False) -> Draft202012Validator:
    return Draft202012Validator(
        change_schema(*statuses, run_id=run_id), format_checker=FormatChecker()
    )


def problem(value: Any, *statuses: str, run_id: bool = False) -> str:
    """Return what is wrong with a decoded answer, or nothing."""
    error = next(_validator(*statuses, run_id=run_id).iter_errors(value), None)
    if error is None:
        return ""
    where = ".".join(str(step) for step in error.absolute_path) or "body"
    return f"{where}: {error.validator}"


def from_value(value: dict[str, Any], **seen: Any) -> Outcome:
    """Turn a schema-valid answer into an outcome."""
    return Outcome(
        verdict=value["status"],
        message=value.get("message", ""),
        reference=value.get("reference", ""),
        card=value.get("card"),
        **seen,
    )


def from_http(status: int, body: bytes) -> Outcome:
    """Judge an HTTP answer to a change: 2xx by its body, 4xx refused, else unknown."""
    text = body.decode("utf-8", "replace").replace("\x00", "�")
    if 400 <= status < 500:
        return Outcome("refused", status_code=status, answer=text, detail="HTTP 4xx")
    if not 200 <= status < 300:
        return Outcome("uncertain", status_code=status, answer=text, detail="HTTP")
    try:
        value = canonical.strict_loads(body)
    except canonical.NotJSON as error:
        return Outcome(
            "uncertain", status_code=status, answer=text, detail=f"JSON: {error}"
        )
    wrong = problem(value, "done", "pending", "failed")
    if wrong:
        return Outcome("uncertain", status_code=status, answer=text, detail=wrong)
    return from_value(value, status_code=status, answer=text)
