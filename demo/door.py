"""The doors of a company's page: a customer walks into the chat already vouched for.

A real company signs the identity of whoever logged in. These two have no login, so
the button that is pressed says who somebody is; the signature happens here, on the
company's server, at the moment of the press.
"""

import html
import json
import time
import uuid
from base64 import urlsafe_b64encode
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from hmac import new as hmac
from pathlib import Path
from string import Template
from urllib.parse import parse_qs, urlsplit

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

IDENTITY_SECONDS = 300
"""Life of a signed identity; Maya accepts at most ten minutes."""
FORM_BYTES = 1024

HERE = Path(__file__).parent
DOOR = Template(
    '<form method="post" action="/door">'
    '<input type="hidden" name="customer" value="$id">'
    '<button type="submit">Entrar como $name</button></form>'
)

Endpoint = Callable[[Request], Awaitable[Response]]


@dataclass(frozen=True, slots=True)
class Person:
    """A customer as the company knows them."""

    id: str
    name: str
    email: str


@dataclass(frozen=True, slots=True)
class Company:
    """What a company needs to open its doors: its page and its half of the secret."""

    name: str
    site_id: str
    maya_url: str
    secret: str = field(repr=False)
    kid: str
    people: dict[str, Person]
    pages: Path

    @property
    def chat_url(self) -> str:
        """The address of the company's chat; without an identity it is anonymous."""
        return f"{self.maya_url}/chat/{self.site_id}/"


def sign_identity(company: Company, person: Person, *, now: int | None = None) -> str:
    """Sign who a person is as a JWT (HS256) that lives for five minutes."""
    issued = int(time.time()) if now is None else now
    header = {"alg": "HS256", "typ": "JWT", "kid": company.kid}
    claims = {
        "iss": company.site_id,
        "aud": "maya",
        "sub": person.id,
        "name": person.name,
        "email": person.email,
        "iat": issued,
        "exp": issued + IDENTITY_SECONDS,
        "jti": str(uuid.uuid4()),
    }
    signed = f"{_segment(header)}.{_segment(claims)}"
    digest = hmac(company.secret.encode(), signed.encode(), sha256).digest()
    return f"{signed}.{_base64url(digest)}"


def _segment(part: Mapping[str, object]) -> str:
    return _base64url(json.dumps(part, separators=(",", ":")).encode())


def _base64url(raw: bytes) -> str:
    return urlsafe_b64encode(raw).rstrip(b"=").decode()


def door_routes(company: Company) -> list[Route]:
    """Return the routes of a company's page: the page, its style and its doors."""
    return [
        Route("/", _front(company)),
        Route("/door", _door(company), methods=["POST"]),
        Route("/page.css", _file(company.pages / "page.css", "text/css")),
        Route("/door.js", _file(HERE / "door.js", "text/javascript")),
    ]


def _front(company: Company) -> Endpoint:
    page = Template((company.pages / "page.html").read_text("utf-8"))

    async def front(request: Request) -> Response:
        return _page(company, page, _doors(company), chat_url=company.chat_url)

    return front


def _doors(company: Company) -> str:
    """Return one button for each person the company can vouch for."""
    return "".join(
        DOOR.substitute(id=html.escape(person.id), name=html.escape(person.name))
        for person in company.people.values()
    )


def _door(company: Company) -> Endpoint:
    page = Template((HERE / "door.html").read_text("utf-8"))

    async def door(request: Request) -> Response:
        """Sign the identity of the pressed button and send the browser on to Maya."""
        if not _from_our_own_page(request):
            return PlainTextResponse("Esa puerta es de otra casa.", 403)
        person = company.people.get(await _pressed(request))
        if person is None:
            return PlainTextResponse("No conocemos a esa persona.", 404)
        identity = sign_identity(company, person)
        if "application/json" in request.headers.get("accept", ""):
            answer = {"url": company.chat_url, "identity": identity}
            return JSONResponse(answer, headers={"Cache-Control": "no-store"})
        return _page(
            company,
            page,
            house=company.name,
            chat_url=company.chat_url,
            person=person.name,
            identity=identity,
        )

    return door


def _from_our_own_page(request: Request) -> bool:
    """Tell whether no other site's page sent this form (curl sends no Origin)."""
    origin = request.headers.get("origin")
    return origin is None or urlsplit(origin).netloc == request.headers.get("host")


async def _pressed(request: Request) -> str:
    """Return the customer's id of the pressed button, or an empty string."""
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > FORM_BYTES:
            return ""
    return parse_qs(body.decode("utf-8", "replace")).get("customer", [""])[0]


def _file(path: Path, media_type: str) -> Endpoint:
    content = path.read_bytes()

    async def file(request: Request) -> Response:
        return Response(content, media_type=media_type)

    return file


def _page(
    company: Company, page: Template, doors: str = "", **values: str
) -> HTMLResponse:
    """Fill a page with escaped values and wrap it in the strictest headers it bears."""
    escaped = {name: html.escape(value) for name, value in values.items()}
    filled = page.substitute(escaped, doors=doors)
    return HTMLResponse(filled, headers=_headers(company.maya_url))


def _headers(maya_url: str) -> dict[str, str]:
    maya = urlsplit(maya_url)
    return {
        "Content-Security-Policy": "; ".join(
            [
                "default-src 'none'",
                "script-src 'self'",
                "style-src 'self'",
                f"form-action 'self' {maya.scheme}://{maya.netloc}",
                "base-uri 'none'",
                "frame-ancestors 'none'",
            ]
        ),
        # Maya looks at the Origin of the form; a stricter policy would send "null".
        "Referrer-Policy": "strict-origin-when-cross-origin",
        "X-Content-Type-Options": "nosniff",
        "Cache-Control": "no-store",
    }
