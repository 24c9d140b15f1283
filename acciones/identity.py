"""Customer identity: a short-lived JWT signed with the agent's secret."""

from dataclasses import dataclass

import jwt

from maya.lib.stored import is_storable, storable

from .errors import IdentityRefused
from .models import AgentSecret, Site

AUDIENCE = "maya"
# A token lives ten minutes at most, whatever its maker wrote (PyJWT takes any exp)
MAXIMUM_SECONDS = 600
LEEWAY_SECONDS = 30


@dataclass(frozen=True)
class Identity:
    """What a site vouched for. E-mail and name are for display only."""

    site: str
    id: str
    email: str = ""
    name: str = ""


def verify(token: str, site: Site) -> Identity:
    """Return the identity in a token; raises ``IdentityRefused`` on any doubt.

    Claims: ``iss`` (the siteId), ``aud`` "maya", ``sub``, ``iat``, ``exp``, ``jti``;
    header ``kid``. Verified with any live secret of the site.
    """
    try:
        kid = jwt.get_unverified_header(token).get("kid")
        secret = next(
            (s for s in AgentSecret.objects.live(site.pk) if s.kid == kid), None
        )
        if secret is None:
            raise IdentityRefused
        claims = jwt.decode(
            token,
            secret.plain,
            algorithms=["HS256"],
            audience=AUDIENCE,
            issuer=site.public_id,
            leeway=LEEWAY_SECONDS,
            options={
                "require": ["iss", "aud", "sub", "iat", "exp", "jti"],
                "strict_aud": True,
                "enforce_minimum_key_length": True,
            },
        )
    except (jwt.InvalidTokenError, UnicodeError, ValueError) as error:
        raise IdentityRefused from error
    AgentSecret.objects.used(secret)
    return _identity(claims, site)


def _identity(claims: dict[str, object], site: Site) -> Identity:
    subject, issued, expires = claims["sub"], claims["iat"], claims["exp"]
    if (
        not isinstance(subject, str)
        or not 0 < len(subject) <= 200
        or not is_storable(subject)
        or not isinstance(issued, int | float)
        or not isinstance(expires, int | float)
        or expires - issued > MAXIMUM_SECONDS
    ):
        raise IdentityRefused
    return Identity(
        site=site.public_id,
        id=subject,
        email=_display(claims.get("email"), 320),
        name=_display(claims.get("name"), 200),
    )


def _display(value: object, limit: int) -> str:
    return storable(value)[:limit] if isinstance(value, str) else ""
