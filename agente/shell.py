"""The page that the chat is drawn into, and what it may load and who may frame it."""

import json
import re
from typing import Any, cast

from csp.decorators import csp_update
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import override

from acciones.models import Site
from agente.models import Agent

ORIGIN = re.compile(r"https?://[A-Za-z0-9.\-]+(:\d{1,5})?")
"""What may stand in a policy: anything else could add a directive to it."""


def shell(
    request: HttpRequest,
    site: Site,
    values: dict[str, Any],
    *,
    language: str = "",
    framed: bool = False,
) -> HttpResponse:
    """Return the chat's page; ``framed`` lets the site's own pages embed it."""
    root = Agent.objects.filter(site=site, is_root=True, enabled=True).first()
    origins = _origins(site)
    policy = csp_update(
        {
            "require-trusted-types-for": ["'script'"],
            "img-src": origins,
            "frame-ancestors": origins if framed else [],
        }
    )
    shown = {
        "site": site,
        "suggestions": json.dumps(root.suggestions if root else []),
        "origins": json.dumps(origins),
        "embed": framed,
        "built": (settings.BASE_DIR / "web" / "dist" / "chat.js").is_file(),
        **values,
    }

    def page(request: HttpRequest) -> HttpResponse:
        with override(language or site.language):
            return render(request, "chat.html", shown)

    return cast(HttpResponse, policy(page)(request))


def _origins(site: Site) -> list[str]:
    """Return the origins of the site: its pages may embed, its images may show."""
    return [origin for origin in site.allowed_origins if ORIGIN.fullmatch(origin)]
