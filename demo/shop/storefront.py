"""A page of the shop with the chat in it, as an owner would put it there.

The chat comes from another origin: one script tag, and a policy that lets it in. Who
is signed in is this page's own business; it only says so, with a signed identity that
its server makes at ``/door``.
"""

import html
from pathlib import Path
from string import Template
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from demo.door import Company

HERE = Path(__file__).parent
PERSON = Template('<button type="button" data-person="$id">Entrar como $name</button>')


def storefront_routes(company: Company) -> list[Route]:
    """Return the page with the chat, and its script."""
    page = Template((HERE / "storefront.html").read_text("utf-8"))
    script = (HERE / "storefront.js").read_bytes()

    async def storefront(request: Request) -> Response:
        people = "".join(
            PERSON.substitute(id=html.escape(one.id), name=html.escape(one.name))
            for one in company.people.values()
        )
        values = {"maya": company.maya_url, "site": company.site_id}
        escaped = {name: html.escape(value) for name, value in values.items()}
        return HTMLResponse(
            page.substitute(escaped, people=people), headers=_headers(company.maya_url)
        )

    async def storefront_js(request: Request) -> Response:
        return Response(script, media_type="text/javascript")

    return [
        Route("/con-chat", storefront),
        Route("/con-chat.js", storefront_js),
    ]


def _headers(maya_url: str) -> dict[str, str]:
    maya = urlsplit(maya_url)
    chat = f"{maya.scheme}://{maya.netloc}"
    return {
        "Content-Security-Policy": "; ".join(
            [
                "default-src 'none'",
                f"script-src 'self' {chat}",
                f"frame-src {chat}",
                "style-src 'self'",
                "connect-src 'self'",
                "base-uri 'none'",
                "frame-ancestors 'none'",
                "require-trusted-types-for 'script'",
            ]
        ),
        "X-Content-Type-Options": "nosniff",
        "Cache-Control": "no-store",
    }
