"""Says what is wrong with a pasted identity token or signature, in words."""

import base64
import binascii
import hashlib
import hmac
import json
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.utils.translation import gettext as _

from acciones.identity import AUDIENCE, LEEWAY_SECONDS, MAXIMUM_SECONDS
from acciones.models import AgentSecret, Site
from maya.lib import signing

CLAIMS = ("iss", "aud", "sub", "iat", "exp", "jti")
MILLISECONDS = 10**11
"""A Unix time above this was taken in milliseconds: in seconds it is the year 5138."""


@dataclass(frozen=True)
class Finding:
    """One thing that was checked, and whether it holds."""

    fine: bool
    text: str


def token(pasted: str, site: Site, secrets: Sequence[AgentSecret]) -> list[Finding]:
    """Check an identity token as ``acciones.identity`` does, and name each fault."""
    parts = pasted.strip().split(".")
    if len(parts) != 3:
        return [_no(_("Un JWT tiene tres partes separadas por puntos."))]
    head, claims = _json(parts[0]), _json(parts[1])
    if head is None or claims is None:
        return [_no(_("La cabecera o el cuerpo no son JSON en base64url."))]
    found = [_head(head)] if head.get("alg") != "HS256" else []
    found += _signed(pasted.strip(), head.get("kid"), secrets)
    found += _claims(claims, site)
    if all(finding.fine for finding in found):
        who = str(claims.get("sub"))
        found.append(Finding(True, _("Vale: es el cliente «%(id)s».") % {"id": who}))
    return found


def _head(head: dict[str, Any]) -> Finding:
    return _no(
        _("El algoritmo es «%(alg)s»: solo se admite HS256.") % {"alg": head.get("alg")}
    )


def _signed(pasted: str, kid: object, secrets: Sequence[AgentSecret]) -> list[Finding]:
    if not kid:
        return [_no(_("Falta «kid» en la cabecera: di con qué clave firmaste."))]
    secret = next((secret for secret in secrets if secret.kid == kid), None)
    if secret is None:
        live = ", ".join(secret.kid for secret in secrets) or "—"
        text = _("La clave «%(kid)s» no vale ahora. Valen: %(live)s.")
        return [_no(text % {"kid": kid, "live": live})]
    message, _dot, given = pasted.rpartition(".")
    mac = hmac.new(secret.plain.encode(), message.encode(), hashlib.sha256).digest()
    expected = base64.urlsafe_b64encode(mac).rstrip(b"=").decode()
    if hmac.compare_digest(expected.encode(), given.encode()):
        return [Finding(True, _("La firma es de la clave «%(kid)s».") % {"kid": kid})]
    return [_no(_("La firma no corresponde al secreto de «%(kid)s».") % {"kid": kid})]


def _claims(claims: dict[str, Any], site: Site) -> list[Finding]:
    found = [
        _no(_("Falta «%(claim)s».") % {"claim": name})
        for name in CLAIMS
        if name not in claims
    ]
    if claims.get("iss", site.public_id) != site.public_id:
        text = _("«iss» debe ser «%(site)s».") % {"site": site.public_id}
        found.append(_no(text))
    if claims.get("aud", AUDIENCE) != AUDIENCE:
        found.append(_no(_("«aud» debe ser «maya», como texto.")))
    if "sub" in claims and not (isinstance(claims["sub"], str) and claims["sub"]):
        found.append(_no(_("«sub» debe ser un texto: el ID estable del cliente.")))
    return found + _times(claims)


def _times(claims: dict[str, Any]) -> list[Finding]:
    issued, expires, now = claims.get("iat"), claims.get("exp"), time.time()
    if not isinstance(issued, int | float) or not isinstance(expires, int | float):
        return []
    if issued > MILLISECONDS or expires > MILLISECONDS:
        return [_no(_("Las fechas están en milisegundos: van en segundos."))]
    found = []
    if expires < now - LEEWAY_SECONDS:
        found.append(_no(_("Caducó hace %(n)d s.") % {"n": now - expires}))
    if issued > now + LEEWAY_SECONDS:
        found.append(_no(_("Se emitió en el futuro: revisa el reloj de tu servidor.")))
    if expires - issued > MAXIMUM_SECONDS:
        found.append(_no(_("Dura más de diez minutos.")))
    return found


def signature(
    given: str,
    *,
    timestamp: str,
    body: bytes,
    run_id: str,
    secrets: Sequence[AgentSecret],
) -> list[Finding]:
    """Check a signature (a callback's, if there is a run id), and guess why not."""
    found = _stamp(timestamp)
    keys = [(secret.kid, secret.plain) for secret in secrets]
    fitting = _fits(given, keys, timestamp, body, run_id)
    if fitting:
        text = _("La firma es correcta, con la clave «%(kid)s».") % {"kid": fitting}
        return [*found, Finding(True, text)]
    return [*found, _no(_why(given, keys, timestamp, body, run_id))]


def _fits(
    given: str, keys: list[tuple[str, str]], timestamp: str, body: bytes, run_id: str
) -> str:
    for kid, plain in keys:
        expected = (
            signing.callback_signature(plain, run_id, timestamp, body)
            if run_id
            else signing.request_signature(plain, timestamp, body)
        )
        if signing.matches(given.strip(), [expected]):
            return kid
    return ""


def _why(
    given: str, keys: list[tuple[str, str]], timestamp: str, body: bytes, run_id: str
) -> str:
    """Try the mistakes that people make; say which one it was."""
    if not given.strip().startswith("v1="):
        return _("Falta el prefijo «v1=».")
    if given.strip() != given.strip().lower():
        return _("El hexadecimal va en minúsculas.")
    for changed in (body.strip(), body + b"\n", body.replace(b"\r\n", b"\n")):
        if changed != body and _fits(given, keys, timestamp, changed, run_id):
            return _("Cambian los bytes: sobra o falta un salto de línea o un espacio.")
    if run_id and _fits(given, keys, timestamp, body, ""):
        return _("Firmaste con «maf-webhook-v1:»: un callback usa «maf-callback-v1:».")
    if timestamp.isdigit() and int(timestamp) > MILLISECONDS:
        return _("El tiempo está en milisegundos: va en segundos.")
    return _(
        "No corresponde a ninguna clave vigente. Firma los bytes originales del "
        "cuerpo, sin volver a escribir el JSON."
    )


def _stamp(timestamp: str) -> list[Finding]:
    if not (timestamp.isascii() and timestamp.isdigit()):
        return [_no(_("El tiempo debe ser un número de segundos."))]
    age = abs(time.time() - int(timestamp))
    if age <= settings.MAYA_CALLBACK_TOLERANCE_SECONDS:
        return []
    return [_no(_("El tiempo se aparta más de cinco minutos del reloj."))]


def _json(part: str) -> dict[str, Any] | None:
    try:
        value = json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))
    except (ValueError, binascii.Error):
        return None
    return value if isinstance(value, dict) else None


def _no(text: str) -> Finding:
    return Finding(False, text)
