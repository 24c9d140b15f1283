"""The admin's menu: Agente → Acciones → Aprobaciones, and what each role may open."""

from typing import Any

from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _

from .reach import reach

SECTIONS: list[tuple[str, list[str]]] = [
    ("agente", ["Run", "Action", "Agent", "Policy", "Connection", "Rehearsal", "Turn"]),
    ("clientes", ["AgentSecret", "Customer"]),
    ("sitio", ["Site", "Language", "ApiToken", "AuditEntry"]),
]


def sections(request: HttpRequest, apps: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Arrange Django's list of apps and models into the owner's words.

    The models of ledger and talker go into sections of ours; other apps keep their
    own.
    """
    ours = [app for app in apps if app["app_label"] in {"acciones", "agente"}]
    if not ours:
        return apps
    models = {model["object_name"]: model for app in ours for model in app["models"]}
    titles = {
        "agente": _("Agente"),
        "clientes": _("Clientes con sesión iniciada"),
        "sitio": _("Sitio"),
    }
    arranged = [
        {**ours[0], "name": titles[label], "app_label": label, "models": found}
        for label, names in SECTIONS
        if (found := [models[name] for name in names if name in models])
    ]
    for section in arranged:
        if section["app_label"] == "agente":
            section["models"].insert(0, _page(_("Aprobaciones"), "inbox"))
        if section["app_label"] == "clientes" and reach(request).owns_any:
            section["models"].insert(0, _page(_("Firmar y comprobar"), "identity"))
    return arranged + [app for app in apps if app not in ours]


def _page(name: str, view: str) -> dict[str, Any]:
    return {
        "name": name,
        "object_name": view,
        "admin_url": reverse(f"admin:{view}"),
        "add_url": None,
        "view_only": True,
        "perms": {"view": True},
    }
