"""Confirmation tokens: bound to run, site, visitor, digest and expiry; never stored.

An authorised page can be given the same token again and again; the conditional
update of the confirmation is what makes it single use.
"""

import hashlib
import hmac
import re

from django.conf import settings

from .models import Run

SALT = b"maya.confirmation:"
FORM = re.compile(r"([0-9]{10,12})\.([0-9a-f]{64})")


def issue(run: Run) -> str:
    """Return the token of a run that is still on offer: ``<expiry>.<hex>``."""
    expiry = int(run.expires_at.timestamp())
    return f"{expiry}.{_mac(run, expiry)}"


def belongs(token: object, run: Run) -> bool:
    """Say whether a token was issued for exactly this run, site and visitor."""
    found = FORM.fullmatch(token) if isinstance(token, str) else None
    if found is None:
        return False
    expected = _mac(run, int(found[1]))
    return hmac.compare_digest(found[2].encode(), expected.encode())


def _mac(run: Run, expiry: int) -> str:
    message = f"{run.pk}:{run.site_id}:{run.visitor_id}:{run.digest}:{expiry}"
    key = hashlib.sha256(SALT + settings.SECRET_KEY.encode()).digest()
    return hmac.new(key, message.encode(), hashlib.sha256).hexdigest()
