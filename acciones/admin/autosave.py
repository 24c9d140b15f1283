"""Autosave: the editor's script sends what was typed; a conflict is told, never lost.

``POST …/borrador/`` with JSON ``{"etag", "page", "number", "fields"}`` answers
``{"etag", "who", "at", "errors", "tool", "request"}``; 409 carries the same of the
draft that somebody else wrote.
"""

from collections.abc import Callable
from typing import Any

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from acciones.models import Action
from maya.lib import canonical

from . import drafts, versions

MakeForm = Callable[[Action, Any], Any]


def save(request: HttpRequest, action: Action, make_form: MakeForm) -> HttpResponse:
    """Keep the draft that came along and say how it would look if published."""
    sent = _read(request)
    if sent is None:
        return JsonResponse({"code": "bad_input"}, status=400)
    known = make_form(action, {}).fields
    fields = {
        name: text
        for name, text in sent["fields"].items()
        if name.split("-")[0] in known and name not in {"etag", "page", "overwrite"}
    }
    kept = drafts.keep(
        action.pk,
        fields=fields,
        seen=sent["etag"],
        page=sent["page"],
        number=sent["number"],
        who=str(request.user),
    )
    answer = {"etag": drafts.etag(kept.action), **drafts.said(kept.action)}
    if kept.conflict:
        answer["who"] = answer["who"] or _("Otra persona")
        return JsonResponse({"code": "conflict", **answer}, status=409)
    return JsonResponse(answer | _preview(kept.action, make_form))


def discard(request: HttpRequest, action: Action) -> HttpResponse:
    """Throw the draft away and show the action as it is published."""
    if request.method != "POST":
        raise PermissionDenied
    drafts.drop(action.pk, seen=request.POST.get("etag", ""))
    return redirect("admin:acciones_action_change", action.pk)


def _read(request: HttpRequest) -> dict[str, Any] | None:
    if request.method != "POST":
        raise PermissionDenied
    try:
        sent = canonical.strict_loads(request.body)
    except canonical.NotJSON:
        return None
    shapes = {"etag": str, "page": str, "number": int, "fields": dict}
    fits = isinstance(sent, dict) and all(
        isinstance(sent.get(name), kind) for name, kind in shapes.items()
    )
    return sent if fits and drafts.is_draft(sent["fields"]) else None


def _preview(action: Action, make_form: MakeForm) -> dict[str, Any]:
    """Return the model's tool and the request as the draft would make them."""
    data = drafts.fields_of(action)
    if data is None:
        raise Http404
    data["etag"] = drafts.etag(action)
    form = make_form(action, data)
    with transaction.atomic():  # the form locks the row that it compares with
        is_whole = form.is_valid()
    if not is_whole:
        errors = [
            f"{capfirst(str(form.fields[name].label or name))}: {' '.join(texts)}"
            if name in form.fields
            else " ".join(texts)
            for name, texts in form.errors.items()
        ]
        return {"errors": errors}
    changed = form.instance
    return {
        "errors": [],
        "tool": versions.tool(changed),
        "request": versions.request(changed),
    }
