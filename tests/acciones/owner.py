"""A member's program: makes a token and calls the owner API with it."""

import json
from typing import Any

from django.test import Client

from acciones.api.owner.token import issue
from acciones.models import ApiToken, Member, Run

ALL = list(ApiToken.Scope.values)


def key(member: Member, *scopes: str, **more: Any) -> str:
    return issue(member, name="Cuadro de mando", scopes=scopes or ALL, **more)[1]


def call(method: str, path: str, token: str = "", body: Any = None, **more: Any) -> Any:
    headers = {"authorization": f"Bearer {token}"} if token else {}
    return Client(enforce_csrf_checks=True).generic(
        method,
        f"/api/owner/{path}",
        "" if body is None else json.dumps(body),
        content_type="application/json",
        headers=headers | more.pop("headers", {}),
        **more,
    )


def decide(verb: str, run: Run, token: str, **body: Any) -> Any:
    body = {"digest": run.digest} | body
    return call("POST", f"runs/{run.pk}/{verb}", token, body)
