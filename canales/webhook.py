"""The address that Telegram posts to; without the secret nothing is believed."""

import hmac

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from maya.lib import canonical

from .receive import receive
from .telegram import bot, config

HEADER = "x-telegram-bot-api-secret-token"
# A message has 4,096 characters at most; its entities and names add some more
MAXIMUM_BYTES = 256 * 1024


@csrf_exempt
@require_POST
def webhook(request: HttpRequest) -> HttpResponse:
    """Take one update: 200 when done with it, 503 to get it again later.

    Without a secret in the environment this address does not exist.
    """
    secret = config.webhook_secret()
    row = bot.current() if secret else None
    if row is None:
        raise Http404
    given = request.headers.get(HEADER, "")
    # Bytes: comparing a str with other than ASCII in it raises, which would be a 500
    if not hmac.compare_digest(given.encode("utf-8", "surrogateescape"), secret):
        return HttpResponse(status=403)
    raw = request.read(MAXIMUM_BYTES + 1)
    if len(raw) > MAXIMUM_BYTES:
        return HttpResponse(status=413)
    try:
        update = canonical.strict_loads(raw)
    except canonical.NotJSON:
        # It would come again for ever, and be no better
        return HttpResponse(status=200)
    return HttpResponse(status=200 if receive(row, update) else 503)
